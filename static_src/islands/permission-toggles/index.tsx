// The permissions of a clinic or a user as switches. Each is saved as soon as it is turned.

import { useId, useRef } from "react";
import { Switch } from "../../components/Switch";
import { gettext } from "../../lib/i18n";
import { isChanged } from "../../lib/typed";
import type { PermissionTogglesProps, Toggle } from "../../types/props.gen";
import { type Choice, usePermissions } from "./use-permissions";

/** The server's form saves all its choices at once: what is chosen there but not saved stays until it is. */
export function mayMount(region: HTMLElement): boolean {
  return ![...region.querySelectorAll("input")].some(isChanged);
}

export default function PermissionToggles(props: PermissionTogglesProps) {
  const { saved, waiting, outcome, change } = usePermissions(props);
  const heading = useId();
  return (
    <section className="card permissions" aria-labelledby={heading}>
      <h2 className="visually-hidden" id={heading}>
        {saved.legend}
      </h2>
      {saved.toggles.map((toggle) => (
        <Permission
          key={toggle.name}
          toggle={toggle}
          waiting={waiting(toggle.name)}
          refusal={outcome?.name === toggle.name && !outcome.ok ? outcome.text : ""}
          onChange={(choice) => change(toggle.name, choice)}
        />
      ))}
      {/* A toast announces it; what it says stays here. */}
      <p className="permissions-status">{outcome?.ok && outcome.text}</p>
    </section>
  );
}

interface PermissionProps {
  readonly toggle: Toggle;
  /** What was chosen and is not answered yet. */
  readonly waiting: Choice | undefined;
  readonly refusal: string;
  readonly onChange: (choice: Choice) => void;
}

function Permission({ toggle, waiting, refusal, onChange }: PermissionProps) {
  const id = useId();
  const control = useRef<HTMLInputElement>(null);
  const mayInherit = toggle.can_inherit && !toggle.inherited && waiting !== "inherit";

  function inherit() {
    control.current?.focus(); // the button goes away
    onChange("inherit");
  }

  return (
    <div className="permission" data-permission={toggle.name}>
      <label htmlFor={id} id={`${id}-label`}>
        {toggle.label}
      </label>
      <Switch
        id={id}
        on={waiting && waiting !== "inherit" ? waiting === "on" : toggle.value}
        busy={waiting !== undefined}
        describedBy={[`${id}-effect`, toggle.source && `${id}-source`, refusal && `${id}-refusal`]
          .filter(Boolean)
          .join(" ")}
        onChange={(on) => onChange(on ? "on" : "off")}
        ref={control}
      />
      <p className="muted" id={`${id}-effect`}>
        {toggle.effect}
      </p>
      {toggle.source && (
        <p className="permission-source" id={`${id}-source`}>
          {/* Where the value comes from is known again once the change is answered; until then its line stays. */}
          {waiting ? "\u00a0" : toggle.source}
        </p>
      )}
      {mayInherit && (
        <button
          className="button"
          data-variant="ghost"
          type="button"
          aria-describedby={`${id}-label`}
          onClick={inherit}
        >
          {gettext("Reset to clinic setting")}
        </button>
      )}
      {refusal && (
        <p className="field-error" id={`${id}-refusal`}>
          {refusal}
        </p>
      )}
    </div>
  );
}
