// Reads a list at its addresses as JSON, and keeps what was read for the way back.

import { getItem } from "../../lib/api";
import { createQueryClient, QueryObserver } from "../../runtime/query";
import type { ListAnswer, ListView } from "../../types/props.gen";

/** The list at the current address; null as the server wrote it into the page, undefined while it is not known. */
export type Shown = ListView | null;

export interface Reading {
  readonly data: Shown | undefined;
  readonly error: unknown;
  readonly isFetching: boolean;
}

export class Reader {
  private readonly client = createQueryClient();
  private readonly observer: QueryObserver<Shown>;
  /** What the next answer is told beside its address, until there is one. */
  private more = "";
  /** Something was changed since the last answer: the next one tells what waits now, too. */
  private isChanged = false;

  constructor(
    public url: string,
    onChange: () => void,
  ) {
    this.client.mount(); // hears that the connection is back
    this.client.setQueryData([url], null);
    this.observer = new QueryObserver<Shown>(this.client, this.options());
    this.observer.subscribe(onChange);
  }

  get now(): Reading {
    return this.observer.getCurrentResult();
  }

  /** Go to another address. What was read there before is shown again only on the way back. */
  go(url: string, isWayBack: boolean): void {
    if (!isWayBack) this.client.removeQueries({ queryKey: [url], exact: true });
    this.url = url;
    this.observer.setOptions(this.options());
  }

  /** Read the current address again. */
  again(): void {
    void this.observer.refetch();
  }

  /** The same, after a change or for one (`more`): what was read at other addresses may not be true any more. */
  async anew(more = ""): Promise<void> {
    this.more = more || this.more;
    this.isChanged ||= !more;
    this.client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== this.url });
    // A first read that is under way would be taken for this one, and may have been answered before the change.
    await this.client.cancelQueries({ queryKey: [this.url], exact: true });
    this.again();
  }

  private options() {
    const { url } = this;
    return {
      queryKey: [url],
      queryFn: async ({ signal }: { signal: AbortSignal }): Promise<Shown> => {
        const { more, isChanged } = this;
        const asked = [more, isChanged && "counts=1"].filter(Boolean).join("&");
        const { list } = await getItem<ListAnswer>(asked ? url + (url.includes("?") ? "&" : "?") + asked : url, signal);
        if (more === this.more) this.more = "";
        if (isChanged) this.isChanged = false;
        return list;
      },
    };
  }
}
