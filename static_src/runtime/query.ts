// What the islands use of react-query, and the rules for cached data (specification, section 8).
// A separate module, so that the library's chunk changes only when the library does.

import { QueryClient } from "@tanstack/react-query";

export { QueryObserver } from "@tanstack/react-query";

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        refetchOnWindowFocus: false,
        refetchOnMount: false,
        refetchOnReconnect: "always",
        staleTime: Number.POSITIVE_INFINITY,
        retry: false,
        // Offline, a read fails immediately instead of waiting silently.
        networkMode: "always",
      },
    },
  });
}
