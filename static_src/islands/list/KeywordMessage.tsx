// What the search form says about its keyword: a hint while it is typed, an error once it is left.

import { useLayoutEffect } from "react";
import { Icon } from "../../components/Icon";
import { setAttribute } from "./dom";

interface KeywordMessageProps {
  readonly id: string;
  /** The server's search box, so that nothing typed into it can get lost. */
  readonly box: HTMLInputElement;
  readonly hint: string;
  readonly error: string;
  readonly isTyping: boolean;
}

export function KeywordMessage({ id, box, hint, error, isTyping }: KeywordMessageProps) {
  const text = isTyping ? hint : error;
  const isError = Boolean(text) && !isTyping;
  const messageId = `list-${isError ? "error" : "hint"}-${id}`;
  useLayoutEffect(() => {
    setAttribute(box, "aria-invalid", isError ? "true" : "");
    setAttribute(box, "aria-describedby", text && messageId);
  }, [box, text, isError, messageId]);
  if (!text) return null;
  return (
    <p className={isError ? "field-error" : "field-hint"} id={messageId}>
      {isError && <Icon name="circle-alert" />}
      {text}
    </p>
  );
}
