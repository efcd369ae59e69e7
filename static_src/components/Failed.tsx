// An error in place, with a way to try again.

import { useEffect, useRef } from "react";
import { gettext } from "../lib/i18n";
import { Icon } from "./Icon";

export function Failed({ text, onRetry }: { text: string; onRetry: () => void }) {
  const box = useRef<HTMLDivElement>(null);
  // The pressed element may be far below, and nothing else would show that it failed.
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
