// A list that lives in the address bar. Its search form and its first rows are the server's; the rows of each further
// address are read as JSON and drawn in their place.

import { memo, useEffect, useEffectEvent, useLayoutEffect, useReducer, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { ErrorBoundary } from "../../components/ErrorBoundary";
import { Failed } from "../../components/Failed";
import { Results } from "../../components/Results";
import { PageEvent } from "../../lib/events";
import { explain, getDetails } from "../../lib/failures";
import { useEvent } from "../../lib/use-event";
import { Replacing } from "../../runtime/mount";
import type { ListView } from "../../types/props.gen";
import { FINDER, findChoices } from "./find-choice";
import { showFittingActions } from "./fitting";
import { getRow } from "./focus";
import { KeepFocus } from "./KeepFocus";
import { KeywordMessage } from "./KeywordMessage";
import { findProblemAt } from "./keyword";
import { RowActions } from "./RowActions";
import { columnChoice, getAddress, isUnchanged, showInForm } from "./search-form";
import { currentUrl, type ServerPage, showInPage, summarize } from "./server-page";
import { type DecidedRow, useListQuery } from "./use-list-query";

const QUIET_MS = 300;

interface State {
  readonly url: string;
  /** Rises with each step, also one to the same address. */
  readonly visit: number;
  /** The address that the form leads to while it has what is not in the list yet, and keeps it. */
  readonly draft: string | null;
  /** A keyword that is being typed gets a hint instead of an error. */
  readonly isTyping: boolean;
  /** The link that was followed. Unless the focus has gone elsewhere, it goes to the rows when they arrive. */
  readonly link: Element | null;
  /** The rows are read again because of an action or for other columns, which was announced already. */
  readonly isQuiet: boolean;
}

function reduce(state: State, change: Partial<State>): State {
  return { ...state, ...change };
}

/** What is shown: the list of the last address that was answered, null for the server's own rows. */
interface View {
  readonly list: ListView | null;
  readonly visit: number;
}

export function List({ page, onMount }: { page: ServerPage; onMount: () => void }) {
  const { section, form, box, columns } = page;
  const [state, change] = useReducer(reduce, undefined, () => ({
    url: currentUrl(),
    visit: 0,
    draft: isUnchanged(form) ? null : getAddress(form),
    isTyping: false,
    link: null,
    isQuiet: false,
  }));
  const { list: answer, failure, isReading, retry, reread, prepareVisit } = useListQuery(state.url);
  const [view, setView] = useState<View>({ list: null, visit: 0 });
  if (answer !== undefined && (answer !== view.list || state.visit !== view.visit))
    setView({ list: answer, visit: state.visit });
  const { list } = view;
  const [announcement, announce] = useState("");
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const problem = state.draft === null ? null : findProblemAt(state.draft);

  function go(url: string, write: "pushState" | "replaceState" | null, next: Partial<State> = {}): void {
    clearTimeout(timer.current);
    if (url === state.url && failure) {
      retry();
      change(next);
    } else if (url === state.url) change({ ...next, visit: state.visit + 1 });
    else {
      prepareVisit(url, !write);
      if (write) history[write](null, "", url);
      change({ ...next, url, visit: state.visit + 1, isQuiet: false });
    }
  }

  /** Record that the form was edited; return whether it can be searched for. */
  function edit(isTyping: boolean): boolean {
    clearTimeout(timer.current);
    const draft = getAddress(form);
    change({ draft, isTyping, link: null });
    return !findProblemAt(draft);
  }

  const searchAfterPause = useEffectEvent(() => go(getAddress(form), "replaceState"));

  function type(isComposing: boolean): void {
    if (edit(true) && !isComposing) timer.current = setTimeout(() => searchAfterPause(), QUIET_MS);
  }

  function rereadList(choice = "", row?: DecidedRow): void {
    change({ isQuiet: state.isQuiet || state.visit === view.visit });
    reread(choice, row);
  }

  useEvent(form, "input", (event) => event.target === box && type((event as InputEvent).isComposing));
  useEvent(form, "compositionend", () => type(false));
  useEvent(box, "blur", () => change({ isTyping: false }));
  useEvent(form, "change", ({ target }) => {
    if (!(target instanceof HTMLElement) || target === box || target.matches(FINDER)) return;
    if (target.matches(":invalid")) return; // a date whose year is being typed
    const isField = target === form.elements.namedItem("searchField");
    if (edit(isField) && !(isField && !box.value)) go(getAddress(form), "pushState");
  });
  useEvent(form, "submit", (event) => {
    event.preventDefault();
    form.querySelector<HTMLElement>(":popover-open")?.hidePopover();
    if (edit(false)) go(getAddress(form), "pushState");
  });
  useEvent(section, "click", (event) => {
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[href]") : null;
    if (!link || !isPlainClick(event) || link.href.split("?")[0] !== form.action) return;
    // A view with columns of its own leads to an address of the list; one of another tab needs the actions of that tab.
    if (link.search.includes("list_query=") || (page.summary.tabs[0] && link.closest(".views"))) return;
    event.preventDefault();
    go(link.pathname + link.search, "pushState", { draft: null, link: link.closest("thead") ? null : link });
  });
  useEvent(window, "popstate", () => {
    if (currentUrl() !== state.url) go(currentUrl(), null, { draft: null, link: null });
  });
  useEvent(columns, "change", () => columns && rereadList(columnChoice(columns)));
  useEvent(columns, "submit", (event) => {
    event.preventDefault();
    columns?.hidePopover();
  });

  const findChoice = useEffectEvent(rereadList);
  const initialize = useEffectEvent(() => {
    findChoices(form, findChoice);
    showFittingActions(section);
    // What was typed or chosen while this code was on its way.
    if (!isUnchanged(form)) type(section.hasAttribute("data-composing"));
    onMount();
  });
  useEffect(() => initialize(), []);

  useLayoutEffect(() => {
    if (isReading) section.setAttribute("aria-busy", "true");
    else section.removeAttribute("aria-busy");
  }, [section, isReading]);

  useEffect(() => {
    if (failure) page.problems.scrollIntoView({ block: "nearest" });
  }, [page, failure]);

  const arrive = useEffectEvent(({ list, visit }: View) => {
    if (!list && visit === 0) return; // the page as it came
    // What can be done with the whole list is missing in a page that could not apply its address.
    if (page.summary.notices.length > 0 && list?.notices.length === 0) return location.reload();
    const summary = list ? summarize(list) : page.summary;
    showInForm(form, list, page.hidden, state.draft === null);
    showInPage(page, summary);
    const { notices, range, sorting } = summary;
    if (!state.isQuiet) announce(notices.join(" ") || [range, sorting].filter(Boolean).join(". "));
    change({ isQuiet: false, link: null, ...(state.draft === null && { isTyping: false }) });
    document.dispatchEvent(new Event(PageEvent.ListRendered));
  });
  useLayoutEffect(() => arrive(view), [view]);

  return (
    <>
      {failure && <Failed text={explain(failure.error)} details={getDetails(failure.error)} onRetry={retry} />}
      {createPortal(
        <Replacing region={page.keywordMessage}>
          <KeywordMessage
            box={box}
            id={section.dataset.list ?? ""}
            hint={problem?.hint ?? ""}
            error={problem?.error ?? (list ? list.search.error : page.summary.error)}
            isTyping={state.isTyping}
          />
        </Replacing>,
        page.keywordMessage,
      )}
      {createPortal(
        <>
          <KeepFocus section={section} drawing={view} link={state.link}>
            {list && <FetchedRows list={list} server={page.results} />}
            {page.actions && (
              <RowActions
                form={page.actions}
                section={section}
                drawing={view}
                url={state.url}
                onDone={(menu) => rereadList("", getDecidedRow(page, menu))}
              />
            )}
          </KeepFocus>
          <p className="visually-hidden" role="status">
            {announcement}
          </p>
        </>,
        section,
      )}
    </>
  );
}

/**
 * The rows in place of the server's, which come back when these are gone. They are not drawn again while the user types:
 * there may be a hundred.
 */
const FetchedRows = memo(({ list, server }: { list: ListView; server: HTMLElement }) => {
  const container = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = container.current;
    server.remove();
    return () => element?.before(server);
  }, [server]);
  return (
    <div data-results="" ref={container}>
      <ErrorBoundary>
        <Results list={list} />
      </ErrorBoundary>
    </div>
  );
});

/** The row of an action that was done, in a list whose rows are decided in place. */
function getDecidedRow({ section, actions }: ServerPage, menu: string): DecidedRow | undefined {
  const row = "inPlace" in (actions?.dataset ?? {}) ? getRow(menu) : null;
  const id = row?.querySelector<HTMLInputElement>("input[type=checkbox]")?.value;
  return row && id ? { id, position: [...section.querySelectorAll("tbody tr")].indexOf(row) } : undefined;
}

/** New tabs, windows and downloads are left to the browser. */
function isPlainClick(event: MouseEvent): boolean {
  const modified = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
  return event.button === 0 && !modified && !event.defaultPrevented;
}
