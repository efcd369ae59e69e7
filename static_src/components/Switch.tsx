// A switch, which takes effect immediately.

import type { Ref } from "react";

interface SwitchProps {
  readonly id: string;
  readonly name: string;
  readonly on: boolean;
  readonly busy: boolean;
  /** Ids of the texts that describe it. */
  readonly describedBy: string;
  readonly onChange: (on: boolean) => void;
  readonly ref?: Ref<HTMLInputElement>;
}

/** It stays enabled while `busy`: a disabled control would lose the focus. */
export function Switch({ id, name, on, busy, describedBy, onChange, ref }: SwitchProps) {
  return (
    <input
      type="checkbox"
      // biome-ignore lint/a11y/useAriaPropsForRole: a checkbox exposes its state itself
      role="switch"
      id={id}
      name={name}
      checked={on}
      aria-busy={busy || undefined}
      aria-describedby={describedBy}
      onChange={(event) => onChange(event.currentTarget.checked)}
      ref={ref}
    />
  );
}
