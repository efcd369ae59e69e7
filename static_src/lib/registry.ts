// The islands by name, each in a chunk of its own. A name or props that Python does not know fail the type check.

import type { ReactNode } from "react";
import type { Islands } from "../types/props.gen";

export interface IslandModule<Props> {
  readonly default: (props: Props) => ReactNode;
  /** False while taking the region over would lose what was typed into the server's form; then the island waits. */
  readonly mayMount?: (region: HTMLElement) => boolean;
}

export type Registry = { readonly [Name in keyof Islands]: () => Promise<IslandModule<Islands[Name]>> };

export const registry: Registry = {
  "permission-toggles": () => import("../islands/permission-toggles"),
  "user-list": () => import("../islands/user-list"),
};
