// A choice that arrow keys pass through: only where they stop is what was chosen.

import { useEffect, useState } from "react";

/** Long enough for the next press of an arrow key: nobody gets a right for a moment because it stands in between. */
const QUIET_MS = 500;

/** What is shown as chosen; `settle` takes it at once. */
export function useSettled<T>(current: T, take: (choice: T) => void) {
  const [chosen, choose] = useState<T | null>(null);
  function settle() {
    choose(null);
    if (chosen !== null && chosen !== current) take(chosen);
  }
  useEffect(() => {
    if (chosen === null) return;
    const timer = setTimeout(settle, QUIET_MS);
    return () => clearTimeout(timer);
  });
  return { shown: chosen ?? current, choose, settle };
}
