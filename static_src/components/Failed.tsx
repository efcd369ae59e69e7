// What could not be done, in its own place, and the way to try it again.

import { useEffect, useRef } from "react";
import { gettext } from "../lib/i18n";
import { Icon } from "./Icon";

export function Failed({ text, onRetry }: { text: string; onRetry: () => void }) {
  const box = useRef<HTMLDivElement>(null);
  // What was pressed may be far below it, and nothing else would tell that it did not work.
  useEffect(() => {
    box.current?.focus();
  }, []);
  return (
    <div className="alert failed" data-tone="danger" role="alert" tabIndex={-1} ref={box}>
      <Icon name="circle-alert" />
      <p className="alert-text">{text}</p>
      <button className="button" type="button" onClick={onRetry}>
        {gettext("Try again")}
      </button>
    </div>
  );
}
