// The permissions of a clinic as switches, those of a user as choices of three. Each is saved as soon as it is changed.

import { type ReactNode, useId, useState } from "react";
import { Segment } from "../../components/Segment";
import { Switch } from "../../components/Switch";
import { isChanged } from "../../lib/fields";
import { gettext } from "../../lib/i18n";
import { mount } from "../../runtime/mount";
import type { PermissionTogglesProps, Toggle } from "../../types/props.gen";
import { type Choice, getChoice, usePermissions } from "./use-permissions";
import { useSettled } from "./use-settled";

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
      {saved.toggles.map((toggle) => {
        const Permission = toggle.can_inherit ? UserPermission : ClinicPermission;
        return (
          <Permission
            key={toggle.name}
            toggle={toggle}
            waiting={waiting(toggle.name)}
            refusal={outcome?.name === toggle.name && !outcome.ok ? outcome.text : ""}
            saved={
              <Saved
                toggle={toggle}
                text={outcome?.name === toggle.name && outcome.ok ? outcome.text : ""}
                onUndo={() => outcome && change(toggle.name, outcome.before)}
              />
            }
            onChange={(choice) => change(toggle.name, choice)}
          />
        );
      })}
      <p className="card-foot permissions-status">{gettext("Changes are saved automatically.")}</p>
    </section>
  );
}

interface SavedProps {
  readonly toggle: Toggle;
  readonly text: string;
  readonly onUndo: () => void;
}

function Saved({ toggle, text, onUndo }: SavedProps) {
  const undo = gettext("Undo");
  const name = gettext("%(action)s: %(name)s", { action: undo, name: toggle.label });
  const saved = gettext("Saved.");
  return (
    <span className="permission-saved" role="status">
      {text && (
        <>
          {toggle.can_inherit ? saved : text}{" "}
          <button type="button" aria-label={name} onClick={onUndo}>
            {undo}
          </button>
        </>
      )}
    </span>
  );
}

interface PermissionProps {
  readonly toggle: Toggle;
  /** What was chosen and is not answered yet. */
  readonly waiting: Choice | undefined;
  readonly refusal: string;
  /** What was done, next to the control or its state; a toast announces what was not, which stays in the row. */
  readonly saved: ReactNode;
  readonly onChange: (choice: Choice) => void;
}

/** On or off for all users who follow the clinic. */
function ClinicPermission({ toggle, waiting, refusal, saved, onChange }: PermissionProps) {
  const id = useId();
  return (
    <div className="permission" data-permission={toggle.name}>
      <label htmlFor={id}>{toggle.label}</label>
      <Texts id={id} toggle={toggle} isWaiting={waiting !== undefined} refusal={refusal} />
      <div className="permission-control">
        <Switch
          id={id}
          name={toggle.name}
          on={waiting ? waiting === "on" : toggle.value}
          busy={waiting !== undefined}
          describedBy={describedBy(id, toggle, refusal)}
          onChange={(on) => onChange(on ? "on" : "off")}
        />
        {saved}
      </div>
    </div>
  );
}

/** The clinic's, on or off: one choice makes a user follow the clinic again. */
function UserPermission({ toggle, waiting, refusal, saved, onChange }: PermissionProps) {
  const id = useId();
  const current = waiting ?? getChoice(toggle);
  const { displayed, choose, confirm, point } = useSettled(current, onChange);
  return (
    // biome-ignore lint/a11y/useSemanticElements: in WebKit, the legend of a fieldset is no part of a grid
    <div
      className="permission"
      role="group"
      data-permission={toggle.name}
      aria-labelledby={`${id}-name`}
      aria-describedby={describedBy(id, toggle, refusal)}
      onPointerDown={() => point(true)}
      onKeyDown={() => point(false)}
      onBlur={(event) => !event.currentTarget.contains(event.relatedTarget) && confirm()}
    >
      <p className="permission-name" id={`${id}-name`}>
        {toggle.label}
      </p>
      <Segment
        name={toggle.name}
        options={[
          ["inherit", toggle.inherit_label],
          ["on", /* Translators: the state of a permission: granted; neutral form. */ gettext("On")],
          ["off", /* Translators: the state of a permission: not granted; neutral form. */ gettext("Off")],
        ]}
        chosen={displayed}
        busy={waiting !== undefined || displayed !== current}
        onChange={choose}
      />
      {/* After the choice, which is next to these texts or below them: Tab comes from it to its undo. */}
      <Texts
        id={id}
        toggle={toggle}
        isWaiting={waiting !== undefined || displayed !== current}
        refusal={refusal}
        saved={saved}
      />
    </div>
  );
}

interface TextsProps {
  readonly id: string;
  readonly toggle: Toggle;
  readonly isWaiting: boolean;
  readonly refusal: string;
  readonly saved?: ReactNode;
}

function Texts({ id, toggle, isWaiting, refusal, saved }: TextsProps) {
  // A line that came with a change would move all that is below it; the message says the same until the next visit.
  const [hasChangeLine] = useState(toggle.changed !== null);
  return (
    <>
      <p className="muted" id={`${id}-effect`}>
        {toggle.effect}
      </p>
      {toggle.source && (
        <p className="permission-source">
          <span id={`${id}-source`}>
            {/* Known again once the change is answered; until then its line stays. */}
            {isWaiting ? "\u00a0" : toggle.source}
            {!isWaiting && toggle.others && (
              <>
                {" "}
                <a href={toggle.others.href}>{toggle.others.label}</a>
              </>
            )}
          </span>
          {!isWaiting && toggle.others && (
            <>
              {" "}
              <button type="submit" form={`reset-${toggle.name}`}>
                {gettext("Reset to clinic setting")}
              </button>
            </>
          )}
          {saved}
        </p>
      )}
      {hasChangeLine && toggle.changed && (
        <p className="permission-change">
          <a href={toggle.changed.href}>{toggle.changed.label}</a>
        </p>
      )}
      {refusal && (
        <p className="field-error" id={`${id}-refusal`}>
          {refusal}
        </p>
      )}
    </>
  );
}

function describedBy(id: string, toggle: Toggle, refusal: string): string {
  return [`${id}-effect`, toggle.source && `${id}-source`, refusal && `${id}-refusal`].filter(Boolean).join(" ");
}
