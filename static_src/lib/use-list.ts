// A list that lives in the address bar: each address is read as JSON once it is gone to, and kept for the way back.

import { useCallback, useEffect, useState } from "react";
import type { ListView } from "../types/props.gen";
import { getItem } from "./api";
import { explain } from "./failures";
import { useQuery } from "./query";

/** Where the person is. `by` says what led there; `moves` says that the focus goes to the rows when they arrive. */
interface Place {
  readonly url: string;
  readonly by: "form" | "link";
  readonly moves: boolean;
}

export interface ListState {
  readonly list: ListView;
  /** The place whose rows are shown; another object each time that rows of another place arrive. */
  readonly arrived: Place;
  readonly busy: boolean;
  /** Why the rows could not be read, in a sentence; those of before stay. */
  readonly failure: string;
  /** True when the search form holds newer values than the address. */
  readonly formLeads: boolean;
  follow(url: string, moves: boolean): void;
  search(url: string, typed: boolean): void;
  touch(): void;
  retry(): void;
}

/** The list of this page, which begins as the server drew it. */
export function useList(first: ListView): ListState {
  const [start] = useState(here);
  const [place, setPlace] = useState<Place>({ url: start, by: "link", moves: false });
  const { url } = place;
  const query = useQuery({
    queryKey: ["list", url],
    queryFn: ({ signal }) => getItem<{ list: ListView }>(url, signal),
    ...(url === start ? { initialData: { list: first } } : {}),
  });

  const [shown, setShown] = useState({ place, list: first });
  const list = query.data?.list;
  if (list && (list !== shown.list || place !== shown.place)) setShown({ place, list });

  useEffect(() => {
    const onPopState = () => setPlace((now) => (now.url === here() ? now : { url: here(), by: "link", moves: false }));
    addEventListener("popstate", onPopState);
    return () => removeEventListener("popstate", onPopState);
  }, []);

  const go = (to: Place, write: "pushState" | "replaceState") => {
    if (to.url !== url) history[write](null, "", to.url);
    else if (query.isError) void query.refetch();
    setPlace(to);
  };

  return {
    list: shown.list,
    arrived: shown.place,
    busy: query.isFetching,
    failure: query.isError && !query.isFetching ? explain(query.error) : "",
    formLeads: place.by === "form",
    follow: (to, moves) => go({ url: to, by: "link", moves }, "pushState"),
    search: (to, typed) => go({ url: to, by: "form", moves: false }, typed ? "replaceState" : "pushState"),
    touch: useCallback(() => setPlace((now) => ({ ...now, by: "form", moves: false })), []),
    retry: () => void query.refetch(),
  };
}

function here(): string {
  return location.pathname + location.search;
}
