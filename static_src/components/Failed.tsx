// An error in place, with a way to try again. It is announced; the focus stays where it is.

import { canCopy, copy } from "../lib/copy";
import { gettext } from "../lib/i18n";
import { Icon } from "./Icon";

interface Props {
  readonly text: string;
  /** What support asks for; empty where the console sent nothing. */
  readonly details?: string;
  readonly onRetry: () => void;
}

export function Failed({ text, details = "", onRetry }: Props) {
  return (
    <div className="alert failed" data-tone="danger" role="alert">
      <Icon name="circle-alert" />
      <p className="alert-text">{text}</p>
      {details && canCopy() && (
        <button className="button" type="button" onClick={() => copy(details, gettext("Copied"))}>
          <Icon name="copy" />
          {gettext("Copy details")}
        </button>
      )}
      <button className="button" type="button" onClick={onRetry}>
        {gettext("Try again")}
      </button>
    </div>
  );
}
