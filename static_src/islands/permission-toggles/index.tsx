// The permissions of a clinic or a user as switches. Each is saved as soon as it is turned.

import { useId, useRef } from "react";
import { Switch } from "../../components/Switch";
import { isChanged } from "../../lib/fields";
import { gettext } from "../../lib/i18n";
import { mount } from "../../runtime/mount";
import type { PermissionTogglesProps, Toggle } from "../../types/props.gen";
import { type Choice, usePermissions } from "./use-permissions";

export function start(region: HTMLElement): Promise<void> {
  return mount(region, PermissionToggles, () => mayMount(region));
}

/** The server's form saves all its choices at once: what is chosen there but not saved stays until it is. */
export function mayMount(region: HTMLElement): boolean {
  return !region.querySelector(":active, button:focus") && ![...region.querySelectorAll("input")].some(isChanged);
}

export function PermissionToggles(props: PermissionTogglesProps) {
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
      {/* A toast announces how a change ended; what it says stays here. */}
      <p className="card-foot permissions-status" data-tone={outcome?.ok ? "success" : undefined}>
        {outcome?.ok ? outcome.text : gettext("Each change is saved immediately.")}
      </p>
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
      <p className="muted" id={`${id}-effect`}>
        {toggle.effect}
      </p>
      {toggle.source && (
        <p className="permission-source" id={`${id}-source`}>
          {/* Where the value comes from is known again once the change is answered; until then its line stays. */}
          {waiting ? "\u00a0" : toggle.source}
        </p>
      )}
      <div className="permission-control">
        <Switch
          id={id}
          name={toggle.name}
          on={waiting && waiting !== "inherit" ? waiting === "on" : toggle.value}
          busy={waiting !== undefined}
          describedBy={[`${id}-effect`, toggle.source && `${id}-source`, refusal && `${id}-refusal`]
            .filter(Boolean)
            .join(" ")}
          onChange={(on) => onChange(on ? "on" : "off")}
          ref={control}
        />
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
      </div>
      {refusal && (
        <p className="field-error" id={`${id}-refusal`}>
          {refusal}
        </p>
      )}
    </div>
  );
}
