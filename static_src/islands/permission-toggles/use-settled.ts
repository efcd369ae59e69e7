// A choice that arrow keys pass through: only where they stop is what was chosen. A pointer's is what was chosen.

import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useEvent } from "../../lib/use-event";

/** Long enough to hear or read an option before the next arrow key: no right is granted for a moment on the way. */
const QUIET_MS = 1500;

/** What is shown as chosen; `settle` takes it at once, as do the end of the page, and each choice after `point(true)`. */
export function useSettled<T>(current: T, take: (choice: T) => void) {
  const [chosen, setChosen] = useState<T | null>(null);
  const isPointed = useRef(false);
  function choose(choice: T) {
    if (isPointed.current && choice !== current) take(choice);
    setChosen(isPointed.current ? null : choice);
  }
  function confirm() {
    setChosen(null);
    if (chosen !== null && chosen !== current) take(chosen);
  }
  const confirmAfterPause = useEffectEvent(confirm);
  useEffect(() => {
    if (chosen === null) return;
    const timer = setTimeout(() => confirmAfterPause(), QUIET_MS);
    return () => clearTimeout(timer);
  }, [chosen]);
  // Before others ask whether the page may be left: what is settled here may have to wait.
  useEvent(chosen === null ? null : window, "beforeunload", confirm, true);
  useEvent(chosen === null ? null : window, "pagehide", confirm);
  function point(is: boolean) {
    isPointed.current = is;
  }
  return { displayed: chosen ?? current, choose, confirm, point };
}
