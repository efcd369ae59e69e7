// What the search form says about its keyword: a hint while it is typed, an error once it is left.

import { Icon } from "../../components/Icon";
import { setAttribute } from "./dom";

export interface Said {
  readonly id: string;
  readonly text: string;
  readonly isError: boolean;
}

export function Told({ id, text, isError }: Said) {
  if (!text) return null;
  return (
    <p className={isError ? "field-error" : "field-hint"} id={id}>
      {isError && <Icon name="circle-alert" />}
      {text}
    </p>
  );
}

/** The box is the server's, so that nothing typed into it can get lost. */
export function describe(box: HTMLInputElement, { id, text, isError }: Said): void {
  setAttribute(box, "aria-invalid", isError ? "true" : "");
  setAttribute(box, "aria-describedby", text && id);
}
