// What a row says about its action. Each message has an element that is put into the row, the server's or ours.

import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { gettext } from "../../lib/i18n";
import { element } from "./dom";
import { focus, getControls, getOpener, getRow } from "./focus";

const UNDO_MS = 10_000;
const TICK_MS = 500;

export interface RowAction {
  readonly url: string;
  /** The id of the menu of its row. */
  readonly menu: string;
  /** The name of its row. */
  readonly name: string;
  /** What its row says before it is sent, of one that can't be reversed; else empty. */
  readonly progress: string;
  readonly stage: "waiting" | "sent" | "done";
}

interface ProblemProps {
  readonly menu: string;
  readonly text: string;
  readonly drawing: unknown;
}

/** Why an action was not done. It is announced once, however often its row is drawn. */
export function ProblemInRow({ menu, text, drawing }: ProblemProps) {
  const [host] = useState(() => element("p", { class: "field-error", role: "alert" }));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the row may be another one after each drawing
  useLayoutEffect(() => {
    const head = getRow(menu)?.querySelector("th");
    if (!head || head.contains(host)) return;
    if (host.parentElement) host.removeAttribute("role");
    head.append(host);
  }, [host, menu, drawing]);
  useLayoutEffect(() => () => host.remove(), [host]);
  return createPortal(text, host);
}

interface WaitingProps {
  readonly action: RowAction;
  readonly section: HTMLElement;
  readonly drawing: unknown;
  /** The time to undo it has passed. */
  readonly onEnd: () => void;
  readonly onUndo: () => void;
}

/** What is about to be done, in place of the controls of its row: for ten seconds, it can be undone. */
export function WaitingInRow({ action, section, drawing, onEnd, onUndo }: WaitingProps) {
  const { url, menu, name, progress, stage } = action;
  const [host] = useState(() => element("div", { class: "row-buttons" }));
  const words = useRef<HTMLParagraphElement>(null);
  const isUndone = useRef(false);
  const isWaiting = stage === "waiting";
  const label = gettext("Undo");

  // biome-ignore lint/correctness/useExhaustiveDependencies: the row may be another one after each drawing
  useLayoutEffect(() => {
    const cell = getOpener(menu)?.closest("td");
    if (!cell) return;
    if (host.parentElement !== cell) cell.append(host);
    for (const child of cell.children) child.toggleAttribute("hidden", child !== host);
  }, [host, menu, drawing]);

  useLayoutEffect(() => {
    words.current?.focus({ preventScroll: true });
    return () => {
      const cell = host.parentElement;
      host.remove();
      for (const child of cell?.children ?? []) child.toggleAttribute("hidden", false);
      if (!isUndone.current) return;
      const controls = getControls(cell?.closest("tr"));
      const pressed = controls.find((control) => url.endsWith(control.getAttribute("formaction") ?? "\n"));
      focus(section, pressed, ...controls);
    };
  }, [host, section, url]);

  const end = useEffectEvent(onEnd);
  useEffect(() => {
    if (!isWaiting) return;
    let remainingMs = UNDO_MS;
    const clock = setInterval(() => {
      if (!isPaused(host)) remainingMs -= TICK_MS;
      if (remainingMs <= 0) end();
    }, TICK_MS);
    return () => clearInterval(clock);
  }, [host, isWaiting]);

  function undo(): void {
    isUndone.current = true;
    onUndo();
  }

  return createPortal(
    <>
      <p tabIndex={-1} ref={words}>
        {progress}
      </p>
      {isWaiting && (
        <button
          type="button"
          className="button"
          aria-label={gettext("%(action)s: %(name)s", { action: label, name })}
          onClick={undo}
        >
          {label}
        </button>
      )}
    </>,
    host,
  );
}

/** Whether the user moved the focus to its button. The pointer doesn't count: it often stays where it pressed. */
function isPaused(host: HTMLElement): boolean {
  return host.querySelector("button:focus-visible") !== null;
}
