// Fake HTTP for tests: calls wait here until the test answers them, in any order.

import { vi } from "vitest";

export interface Call {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body: URLSearchParams | FormData | null;
  /** True when it outlives its page. */
  readonly keepalive: boolean;
  /** True when the browser has aborted the call. */
  gaveUp: boolean;
  answer(body: unknown, status?: number): void;
  answerText(text: string, type: string, status?: number): void;
  breakOff(): void;
}

/** Replace the browser's `fetch` until the end of the test (`vi.unstubAllGlobals`). */
export function fakeServer(): Call[] {
  const calls: Call[] = [];
  vi.stubGlobal("fetch", (url: string, init: RequestInit = {}) => {
    let resolve: (response: Response) => void = () => {};
    let reject: (reason: unknown) => void = () => {};
    const answered = new Promise<Response>((...callbacks) => {
      [resolve, reject] = callbacks;
    });
    const answerText = (text: string, type: string, status = 200) =>
      resolve(new Response(text, { status, headers: { "Content-Type": type } }));
    const call: Call = {
      url,
      method: init.method ?? "GET",
      headers: new Headers(init.headers),
      body: (init.body ?? null) as Call["body"],
      keepalive: init.keepalive ?? false,
      gaveUp: false,
      answer: (body, status) => answerText(JSON.stringify(body), "application/json", status),
      answerText,
      breakOff: () => reject(new TypeError("Failed to fetch")),
    };
    init.signal?.addEventListener("abort", () => {
      call.gaveUp = true;
      reject(new DOMException("", "AbortError"));
    });
    calls.push(call);
    return answered;
  });
  return calls;
}

/** A successful answer of the console. */
export function done(item: unknown, message = ""): object {
  return { ok: true, message, item, errors: {}, goto: "", traceId: "t-1" };
}

/** A refusal of the console. */
export function refused(message: string, overrides: object = {}): object {
  return {
    ok: false,
    message,
    item: null,
    errors: {},
    goto: "",
    traceId: "t-2",
    details: "request_id: t-2",
    ...overrides,
  };
}
