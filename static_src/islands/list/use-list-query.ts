// Reads a list at its addresses as JSON, and keeps what was read for the way back (specification, section 8: no read
// on focus, one when the connection is back, no retries).

import { useEffect, useRef, useState } from "react";
import { read } from "../../lib/api";
import { useEvent } from "../../lib/use-event";
import type { ListAnswer, ListView } from "../../types/props.gen";
import { showCounts } from "./counts";

const CACHE_MS = 300_000;

interface Answer {
  /** Null as the server wrote it into the page. */
  readonly list: ListView | null;
  /** When the user went to another address; 0 while this one is current. */
  readonly lastVisitedAt: number;
}

/** A row that was decided, by its ID, and its position in the list. */
export interface DecidedRow {
  readonly id: string;
  readonly position: number;
}

/** `list` is undefined while it is not known. */
export function useListQuery(url: string) {
  const [answers, setAnswers] = useState<ReadonlyMap<string, Answer>>(
    () => new Map([[url, { list: null, lastVisitedAt: 0 }]]),
  );
  const [failure, setFailure] = useState<{ readonly error: unknown } | null>(null);
  const [attempt, setAttempt] = useState(0);
  /** What the next read says in addition to its address, until it is answered. */
  const extra = useRef({ choice: "", counts: "" });
  /** The positions of rows that were decided at this address, by ID: they stay even if the list no longer has them. */
  const decided = useRef(new Map<string, number>());
  const isKnown = answers.has(url);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt is a read
  useEffect(() => {
    if (isKnown) return;
    const controller = new AbortController();
    const sent = extra.current;
    const rows = [...decided.current].map(([id, position]) => `decided=${id}.${position}`);
    const query = [sent.choice, sent.counts, ...rows].filter(Boolean).join("&");
    read<ListAnswer>(query ? url + (url.includes("?") ? "&" : "?") + query : url, controller.signal).then(
      ({ item: { list }, counts }) => {
        if (controller.signal.aborted) return;
        if (counts) void showCounts(counts);
        if (sent === extra.current) extra.current = { choice: "", counts: "" };
        setAnswers((all) => new Map(all).set(url, { list, lastVisitedAt: 0 }));
      },
      (error) => controller.signal.aborted || setFailure({ error }),
    );
    return () => controller.abort();
  }, [url, isKnown, attempt]);

  function retry(): void {
    setFailure(null);
    setAttempt((last) => last + 1);
  }

  /** Read again what may have changed, at each address. */
  function refresh(): void {
    setAnswers(new Map());
    retry();
  }

  /** The same for a choice, or after a change, which also changes what is counted; `row` was decided. */
  function reread(choice = "", row?: DecidedRow): void {
    if (row) decided.current.set(row.id, row.position);
    extra.current = choice ? { ...extra.current, choice } : { ...extra.current, counts: "counts=1" };
    refresh();
  }

  /** Call before going to an address: its rows are shown as they were only on the way back, and for five minutes. */
  function prepareVisit(address: string, isWayBack: boolean): void {
    const now = Date.now();
    const isFresh = (key: string, { lastVisitedAt }: Answer) =>
      (isWayBack || key !== address) && now - lastVisitedAt < CACHE_MS;
    setFailure(null);
    if (address !== url) decided.current.clear();
    setAnswers((all) => {
      const entries = [...all].map(
        ([key, answer]) => [key, key === url ? { ...answer, lastVisitedAt: now } : answer] as const,
      );
      return new Map(entries.filter((entry) => isFresh(...entry)));
    });
  }

  useEvent(window, "online", refresh);

  return { list: answers.get(url)?.list, failure, isReading: !isKnown && !failure, retry, reread, prepareVisit };
}
