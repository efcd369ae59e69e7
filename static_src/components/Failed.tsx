// An error in place, with a way to try again. It is announced; the focus stays where it is.

import { gettext } from "../lib/i18n";
import { Icon } from "./Icon";

export function Failed({ text, onRetry }: { text: string; onRetry: () => void }) {
  return (
    <div className="alert failed" data-tone="danger" role="alert">
      <Icon name="circle-alert" />
      <p className="alert-text">{text}</p>
      <button className="button" type="button" onClick={onRetry}>
        {gettext("Try again")}
      </button>
    </div>
  );
}
