// A list that lives in the address bar: each address is read as JSON when it is visited, and cached for going back.

import { useCallback, useEffect, useState } from "react";
import type { ListView } from "../types/props.gen";
import { getItem } from "./api";
import { explain } from "./failures";
import { useQuery } from "./query";

/** The address of the list. `by` is what led to it; with `moves`, the focus goes to the rows when they arrive. */
interface Address {
  readonly url: string;
  readonly by: "form" | "link";
  readonly moves: boolean;
}

export interface ListState {
  readonly list: ListView;
  /** The address whose rows are shown; a new object each time rows of another address arrive. */
  readonly arrived: Address;
  readonly busy: boolean;
  /** Why the rows could not be read, in a sentence; the previous ones stay. */
  readonly failure: string;
  /** True when the search form has newer values than the address. */
  readonly formLeads: boolean;
  follow(url: string, moves: boolean): void;
  search(url: string, typed: boolean): void;
  touch(): void;
  retry(): void;
}

/** The list of this page, initially as the server rendered it. */
export function useList(first: ListView): ListState {
  const [start] = useState(here);
  const [address, setAddress] = useState<Address>({ url: start, by: "link", moves: false });
  const { url } = address;
  const query = useQuery({
    queryKey: ["list", url],
    queryFn: ({ signal }) => getItem<{ list: ListView }>(url, signal),
    ...(url === start ? { initialData: { list: first } } : {}),
  });

  const [shown, setShown] = useState({ address, list: first });
  const list = query.data?.list;
  if (list && (list !== shown.list || address !== shown.address)) setShown({ address, list });

  useEffect(() => {
    const onPopState = () =>
      setAddress((now) => (now.url === here() ? now : { url: here(), by: "link", moves: false }));
    addEventListener("popstate", onPopState);
    return () => removeEventListener("popstate", onPopState);
  }, []);

  const go = (to: Address, write: "pushState" | "replaceState") => {
    if (to.url !== url) history[write](null, "", to.url);
    else if (query.isError) void query.refetch();
    setAddress(to);
  };

  return {
    list: shown.list,
    arrived: shown.address,
    busy: query.isFetching,
    failure: query.isError && !query.isFetching ? explain(query.error) : "",
    formLeads: address.by === "form",
    follow: (to, moves) => go({ url: to, by: "link", moves }, "pushState"),
    search: (to, typed) => go({ url: to, by: "form", moves: false }, typed ? "replaceState" : "pushState"),
    touch: useCallback(() => setAddress((now) => ({ ...now, by: "form", moves: false })), []),
    retry: () => void query.refetch(),
  };
}

function here(): string {
  return location.pathname + location.search;
}
