// The actions of rows. Their buttons belong to one form of the page, which is sent from here, so that one stays in the list;
// what was pressed before this code came is the form's own POST. The rows may be the server's or ours: what is said in
// them is put there after each drawing.

import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import { Failure, postForm } from "../../lib/api";
import { explain } from "../../lib/failures";
import { gettext } from "../../lib/i18n";
import { toast } from "../../lib/toasts";
import { useEvent } from "../../lib/use-event";
import { setAttribute } from "./dom";
import { focus, getControls, getOpener, getRow } from "./focus";
import { ProblemInRow, type RowAction, WaitingInRow } from "./RowMessages";
import { guardRows, type RowGuard } from "./row-guard";
import { useLeaving } from "./use-leaving";

/** What the server may say of an action: what is best done next, and that its row is not what it was taken for. */
interface Result {
  readonly next?: { readonly label: string; readonly href: string } | null;
  readonly is_stale?: boolean;
}

interface RowProblem {
  readonly menu: string;
  readonly name: string;
  readonly text: string;
}

interface RowActionsProps {
  readonly form: HTMLFormElement;
  readonly section: HTMLElement;
  /** Another value with each drawing of the rows. */
  readonly drawing: unknown;
  /** The address of the list: problems of rows are not shown at another one. */
  readonly url: string;
  /** Gets the menu of the action that was done; "" where it was not, and its row is not what it was taken for. */
  readonly onDone: (menu: string) => void;
}

export function RowActions({ form, section, drawing, url: listUrl, onDone }: RowActionsProps) {
  /** The addresses of the actions that are not answered yet. */
  const [sent, setSent] = useState<readonly string[]>([]);
  /** Why the last action on a row was not done. */
  const [problems, setProblems] = useState<readonly RowProblem[]>([]);
  /** Actions that can still be undone, until they are sent; then they stay until their row is drawn again. */
  const [waiting, setWaiting] = useState<readonly RowAction[]>([]);
  /** The form ids of actions that are not known to be done: tried again, they are the same form and not done twice. */
  const formIds = useRef(new Map<string, string>());
  /** Whether what waited is done, by menu, once it is sent. */
  const answers = useRef(new Map<string, Promise<boolean>>());
  /** The menu of the action that was done last, and what could be done there before. */
  const last = useRef<{ readonly menu: string; readonly actions: string }>(null);
  const guard = useRef<RowGuard>(null);

  function clearProblem(menu: string): void {
    setProblems((all) => all.filter((problem) => problem.menu !== menu));
  }

  function setStage(menu: string, stage: RowAction["stage"]): void {
    setWaiting((all) => all.map((action) => (action.menu === menu ? { ...action, stage } : action)));
  }

  function makeFields(url: string): FormData {
    const formId = formIds.current.get(url) ?? newFormId();
    formIds.current.set(url, formId);
    const fields = new FormData(form);
    fields.set("form_id", formId);
    fields.set("back", location.pathname + location.search);
    // The token is in the header, which changes after another login.
    fields.delete("csrfmiddlewaretoken");
    return fields;
  }

  // An answer comes after further drawings, and must not speak of an earlier one.
  const reportDone = useEffectEvent(onDone);
  const postUndo = useEffectEvent((action: RowAction) => void post(action));

  /** Return whether it is done. */
  async function post(action: RowAction): Promise<boolean> {
    const { url, menu, name } = action;
    if (sent.includes(url)) return false;
    const actions = getActions(getRow(menu));
    const about = "inPlace" in form.dataset ? form.id : "";
    clearProblem(menu);
    setSent((urls) => [...urls, url]);
    const { problem, isStale } = await send(url, makeFields(url), about, (undo) => postUndo({ ...action, url: undo }));
    setSent((urls) => urls.filter((other) => other !== url));
    if (!problem) formIds.current.delete(url);
    else if (getOpener(menu))
      setProblems((all) => [...all.filter((other) => other.menu !== menu), { menu, name, text: problem }]);
    else toast({ tone: "danger", title: name, text: problem });
    closeMenu(menu);
    last.current = problem || answers.current.has(menu) ? null : { menu, actions };
    if (!problem || isStale) reportDone(problem ? "" : menu);
    return !problem;
  }

  /** Send what waits; its row says so until there is an answer. */
  function start(action: RowAction): Promise<boolean> {
    const { menu } = action;
    const before = answers.current.get(menu);
    if (before) return before;
    // The next row comes to its place: a key that is pressed then is not meant for that one.
    if (getOpener(menu)?.closest("td")?.contains(document.activeElement)) section.focus({ preventScroll: true });
    setStage(menu, "sent");
    const answer = post(action).then((isDone) => {
      if (isDone) setStage(menu, "done");
      else unwait(menu);
      return isDone;
    });
    answers.current.set(menu, answer);
    return answer;
  }

  function unwait(menu: string): void {
    answers.current.delete(menu);
    setWaiting((all) => all.filter((action) => action.menu !== menu));
    guard.current?.change(getRow(menu));
  }

  function press(button: HTMLElement): void {
    // submit-once.ts disables what the browser itself is sending.
    if (button.getAttribute("aria-disabled") === "true") return;
    guard.current ??= guardRows(section, button);
    const row = button.closest("tr");
    const name = (row?.querySelector("th :is(a, bdi)") ?? row?.querySelector("th"))?.textContent;
    const menu = button.closest("[popover], .row-actions")?.id ?? "";
    const { progress = "" } = button.dataset;
    const action: RowAction = { url: getPath(button), menu, name: name ?? "", progress, stage: "waiting" };
    if (!progress) return void post(action);
    if (waiting.some((other) => other.menu === menu)) return;
    closeMenu(menu);
    clearProblem(menu);
    setWaiting((all) => [...all, action]);
    guard.current.change(row);
  }

  useEvent(form, "submit", (event) => {
    event.preventDefault();
    if (event.submitter) press(event.submitter);
  });

  /** After an action that took itself away from its row, the focus goes to the next row for which all of it is open. */
  const goOn = useEffectEvent(() => {
    const { menu, actions } = last.current ?? { menu: "", actions: "" };
    const opener = getOpener(menu);
    const row = opener?.closest("tr");
    const { activeElement } = document;
    last.current = null;
    for (const { menu, stage } of waiting) if (stage === "done") answers.current.delete(menu);
    const missing = problems.filter((problem) => !getOpener(problem.menu));
    for (const { name, text } of missing) toast({ tone: "danger", title: name, text });
    if (missing.length > 0) setProblems((all) => all.filter((problem) => !missing.includes(problem)));
    if (waiting.length > 0) setWaiting((all) => all.filter(({ stage }) => stage !== "done"));
    // A button in sight went with the row that was drawn again, or another one came in its place.
    const isReplaced = activeElement !== opener && opener?.contains(activeElement);
    const hadFocus = activeElement === opener || (activeElement === document.body && opener?.matches("td"));
    if (!row || !(hadFocus || isReplaced) || getActions(row) === actions) return;
    const added = getControls(row).length - actions.split("\n").length;
    if (isReplaced && added > 0) return focus(section, row.querySelector<HTMLElement>("th :is(a, button)"));
    if (isReplaced && added === 0) return;
    const rows = [...section.querySelectorAll("tbody tr")];
    const index = rows.indexOf(row);
    const next = [...rows.slice(index + 1), ...rows.slice(0, index)].find((each) => getActions(each) === actions);
    if (next) focus(section, ...getControls(next));
  });

  useEffect(() => {
    if (section.querySelector("[data-progress]")) guard.current ??= guardRows(section);
  }, [section]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: rows that were drawn have other buttons
  useLayoutEffect(() => {
    for (const button of section.querySelectorAll("button[formaction]")) {
      const isBusy = sent.includes(getPath(button));
      if (!isBusy && !button.hasAttribute("aria-busy")) continue;
      for (const name of ["aria-busy", "aria-disabled"]) setAttribute(button, name, isBusy ? "true" : "");
    }
    guard.current?.note();
  }, [section, drawing, sent, problems, waiting]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another list has other rows
  useEffect(() => setProblems([]), [listUrl]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: after each drawing
  useEffect(() => goOn(), [drawing]);

  useLeaving(waiting.length > 0, async () => !(await Promise.all(waiting.map(start))).includes(false));

  return (
    <>
      {problems.map(({ menu, text }) => (
        <ProblemInRow key={menu} menu={menu} text={text} drawing={drawing} />
      ))}
      {waiting.map((action) => (
        <WaitingInRow
          key={action.menu}
          action={action}
          section={section}
          drawing={drawing}
          onEnd={() => void start(action)}
          onUndo={() => unwait(action.menu)}
        />
      ))}
    </>
  );
}

/** Send an action, and say that it is done, with what undoes it; return why it is not, and whether its row changed. */
async function send(
  url: string,
  fields: FormData,
  about: string,
  onUndo: (url: string) => void,
): Promise<{ problem: string; isStale: boolean }> {
  let isStale = false;
  try {
    // It arrives even if the page is left.
    const { ok, message, undo, undoLabel, item } = await postForm<Result>(url, fields, { keepalive: true });
    isStale = item?.is_stale === true;
    if (!ok) throw new Failure("refused", message);
    const next = item?.next;
    const action = undo
      ? { label: undoLabel || gettext("Undo"), run: () => onUndo(undo) }
      : next && { label: next.label, run: () => location.assign(next.href) };
    removeMessages();
    toast({ tone: "success", title: message, ...(about && { about }), ...(action && { action }) });
    return { problem: "", isStale };
  } catch (error) {
    return { problem: explain(error), isStale };
  }
}

/** What the page says of an earlier action may be true no longer. What can be undone stays. */
function removeMessages(): void {
  const messages = document.getElementById("messages");
  for (const message of messages?.querySelectorAll("[data-tone=success]:not(:has(form))") ?? []) message.remove();
  if (messages && !messages.childElementCount) messages.hidden = true; // the heading refers to it
}

/** What can be done with a row, in one word. */
function getActions(row: Element | null | undefined): string {
  return getControls(row)
    .map((action) => action.textContent)
    .join("\n");
}

/** Close the menu of a row and return the focus to its button. */
function closeMenu(id: string): void {
  const menu = document.getElementById(id);
  const { activeElement } = document;
  if (!menu?.matches("[popover]")) return;
  menu.hidePopover();
  // Safari does not focus a button that is clicked.
  if (menu.contains(activeElement) || activeElement === document.body) getOpener(id)?.focus({ preventScroll: true });
}

/** Where a button posts to; its address in the page is relative to that of the list. */
function getPath(button: Element): string {
  return new URL(button.getAttribute("formaction") ?? "", location.href).pathname;
}

/** A UUID, by other means than `randomUUID`, which browsers have on https only. */
function newFormId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
