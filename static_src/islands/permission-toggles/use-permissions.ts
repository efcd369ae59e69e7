// Changes of permissions: shown at once, sent one after the other, taken back when refused.

import { useRef, useState } from "react";
import { Failure, postForm } from "../../lib/api";
import { explain } from "../../lib/failures";
import { gettext } from "../../lib/i18n";
import { toast } from "../../lib/toasts";
import { useEvent } from "../../lib/use-event";
import type { PermissionTogglesProps, Toggle } from "../../types/props.gen";

export type Choice = "on" | "off" | "inherit";

/** The choice that a toggle shows. */
export function getChoice(toggle: Toggle): Choice {
  if (toggle.inherited) return "inherit";
  return toggle.value ? "on" : "off";
}

interface Change {
  readonly name: string;
  readonly choice: Choice;
  /** The choice in force before: an undo chooses it again. */
  readonly before: Choice;
  /** What was known to have come in between when it was chosen. */
  readonly after: Failure | null;
}

/** How the last answered change ended. */
interface Outcome {
  readonly name: string;
  readonly ok: boolean;
  readonly text: string;
  readonly before: Choice;
}

/** What is in force; a switch that could not be read is left out. */
type State = Pick<PermissionTogglesProps, "version" | "toggles" | "proof">;

function updated(props: PermissionTogglesProps, { version, toggles, proof }: State): PermissionTogglesProps {
  const current = new Map(toggles.map((toggle) => [toggle.name, toggle]));
  return { ...props, version, proof, toggles: props.toggles.map((toggle) => current.get(toggle.name) ?? toggle) };
}

export function usePermissions(props: PermissionTogglesProps) {
  const [saved, setSaved] = useState(props);
  const [pending, setPending] = useState<readonly Change[]>([]);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const latest = useRef(props);
  const queue = useRef(Promise.resolve());
  /** The last refusal because of another administrator's change. */
  const overtaken = useRef<Failure | null>(null);

  // What waits for the answer to the change before it can't be sent yet: leaving asks.
  const unanswered = useRef(0);
  useEvent(pending.length > 0 ? window : null, "beforeunload", (event) => {
    if (unanswered.current > 1) event.preventDefault();
  });

  async function send(change: Change): Promise<void> {
    const ended = await ask(change).then(
      (text) => ({ ok: true, text }),
      (error) => ({ ok: false, text: explain(error) }),
    );
    unanswered.current -= 1;
    setSaved(latest.current);
    setPending((changes) => changes.filter((other) => other !== change));
    setOutcome({ name: change.name, before: change.before, ...ended });
    if (ended.ok) return;
    const title = latest.current.toggles.find((toggle) => toggle.name === change.name)?.label ?? "";
    toast({ tone: "danger", title, text: ended.text, about: change.name });
  }

  async function ask({ name, choice, after }: Change): Promise<string> {
    // Chosen in view of an older state: it could undo what another administrator did since.
    if (overtaken.current && overtaken.current !== after) throw overtaken.current;
    const { url, version, proof } = latest.current;
    const fields = { [name]: choice, version: String(version ?? ""), proof };
    // It arrives even when the page is left.
    const answer = await postForm<State>(url, fields, { keepalive: true });
    // A refusal may also say what is in force now.
    if (answer.item) latest.current = updated(latest.current, answer.item);
    if (!answer.ok) {
      const refusal = new Failure("refused", answer.errors[name]?.[0] ?? answer.message);
      if (version !== null && latest.current.version !== version) overtaken.current = refusal;
      throw refusal;
    }
    return answer.message || /* Translators: said after a permission was changed; neutral form. */ gettext("Saved.");
  }

  return {
    saved,
    outcome,
    waiting: (name: string) => pending.findLast((change) => change.name === name)?.choice,
    change: (name: string, choice: Choice) => {
      const last = pending.findLast((other) => other.name === name)?.choice;
      const toggle = saved.toggles.find((other) => other.name === name);
      const change = { name, choice, before: last ?? (toggle ? getChoice(toggle) : choice), after: overtaken.current };
      unanswered.current += 1;
      setPending((changes) => [...changes, change]);
      // One at a time: each change names the version that the answer before it brought.
      queue.current = queue.current.then(() => send(change));
    },
  };
}
