// The only module that calls the server. It knows the envelope of the console's JSON answers, but no texts:
// lib/failures.ts turns failures into sentences.

import { PageEvent } from "./events";

/** The console's answer to `Accept: application/json`. */
export interface Envelope<T> {
  readonly ok: boolean;
  readonly message: string;
  readonly item: T | null;
  readonly errors: Readonly<Record<string, readonly string[]>>;
  readonly goto: string;
  readonly traceId: string;
  /** What support asks for, of an error that no field explains. */
  readonly details?: string;
  /** Where a POST takes it back. */
  readonly undo?: string;
  /** What that is called, if not “Undo”. */
  readonly undoLabel?: string;
  /** What waits now, where the page asked for it: by the addresses of the navigation's entries, and at the bell; empty for none. */
  readonly counts?: Counts | null;
}

export interface Counts {
  readonly badges: Readonly<Record<string, string>>;
  readonly bell: { readonly count: string; readonly label: string } | null;
}

/** `unreachable`: no answer. `unreadable`: not an answer of the console. `refused`: the console refused the call. */
type FailureKind = "unreachable" | "unreadable" | "refused";

export class Failure extends Error {
  readonly kind: FailureKind;
  readonly details: string;

  constructor(kind: FailureKind, message = "", details = "") {
    super(message);
    this.name = "Failure";
    this.kind = kind;
    this.details = details;
  }
}

/** Return the console's answer, whatever it is. */
export function ask<T>(url: string, signal?: AbortSignal): Promise<Envelope<T>> {
  return callInSession<T>(() => send(url, signal ? { signal } : {}));
}

/** Read a page's JSON, which has the same address as the page. A refusal with an item says in it what is wrong. */
export async function read<T>(url: string, signal?: AbortSignal): Promise<{ item: T; counts: Counts | null }> {
  const { item, message, details, counts = null } = await ask<T>(url, signal);
  if (item === null) throw new Failure("refused", message, details);
  return { item, counts };
}

/** Submit a form as the page without script would. A refusal is also an answer: `ok` is false then. */
export function postForm<T>(
  url: string,
  fields: FormData | Readonly<Record<string, string>>,
  more: Pick<RequestInit, "keepalive"> = {},
): Promise<Envelope<T>> {
  const body = fields instanceof FormData ? fields : new URLSearchParams(fields);
  return callInSession<T>(() => send(url, { ...more, method: "POST", body, headers: { "X-CSRFToken": csrfToken() } }));
}

/** Read a JSON file that does not belong to a page: the texts of a language. */
export async function getJson<T>(url: string): Promise<T> {
  const response = await send(url, {});
  if (!response.ok) throw new Failure("unreadable");
  return parse<T>(response);
}

async function send(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, {
      ...init,
      credentials: "same-origin",
      headers: { Accept: "application/json", ...init.headers },
    });
  } catch (error) {
    // Aborted by the caller, which gets no failure.
    if (init.signal?.aborted) throw error;
    throw new Failure("unreachable");
  }
}

/** Call, and repeat the call if only the session had ended and the user has logged in again. */
async function callInSession<T>(call: () => Promise<Response>, isFirst = true): Promise<Envelope<T>> {
  const response = await call();
  const answer = await parse<Partial<Envelope<T>>>(response);
  if (typeof answer?.ok !== "boolean") throw new Failure("unreadable");
  if (answer.goto && response.status === 401 && isFirst && (await sessionContinues()))
    return callInSession(call, false);
  if (answer.goto) await leave(answer.goto);
  const { ok, message = "", item = null, errors = {}, traceId = "", details = "", counts = null } = answer;
  const { undo = "", undoLabel = "" } = answer;
  return { ok, message, item, errors, goto: "", traceId, details, undo, undoLabel, counts };
}

async function parse<T>(response: Response): Promise<T> {
  const type = response.headers.get("Content-Type") ?? "";
  if (!type.startsWith("application/json")) throw new Failure("unreadable");
  try {
    return (await response.json()) as T;
  } catch (error) {
    if (error instanceof SyntaxError) throw new Failure("unreadable");
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new Failure("unreachable"); // the connection was lost during the answer
  }
}

/** Whether the user logged in again; false immediately if nothing on this page can ask for it. */
function sessionContinues(): Promise<boolean> {
  return new Promise((resolve) => {
    const event = new CustomEvent(PageEvent.SessionEnded, { cancelable: true, detail: resolve });
    if (document.dispatchEvent(event)) resolve(false);
  });
}

/** Go where the server says. Never settles: callers keep waiting until the page is gone. */
function leave(url: string): Promise<never> {
  const target = new URL(url, location.href);
  if (target.origin !== location.origin) throw new Failure("unreadable");
  location.assign(target.href);
  return new Promise(() => {});
}

function csrfToken(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="csrf-token"]')?.content ?? "";
}
