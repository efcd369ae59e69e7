// A state as a word; the color only supports it.

import type { Cell } from "../types/props.gen";

export function Badge({ tone, text }: Required<Pick<Cell, "tone" | "text">>) {
  return (
    <span className="badge" data-tone={tone}>
      {text}
    </span>
  );
}
