// Islands in tests.

import { act } from "@testing-library/react";
import type { Island } from "../runtime/island-loader";

/** Start an island, and return when it is drawn. React draws only after the callback of `act`. */
export async function startIsland(start: Island["start"], region: HTMLElement): Promise<void> {
  const started: ReturnType<Island["start"]>[] = [];
  await act(async () => {
    started.push(start(region));
    await new Promise(process.nextTick);
  });
  await Promise.all(started);
}
