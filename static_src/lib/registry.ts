// The islands by name, each in a separate chunk. Names or props that are unknown to Python fail the type check.

import type { ReactNode } from "react";
import type { Islands } from "../types/props.gen";

export interface IslandModule<Props> {
  readonly default: (props: Props) => ReactNode;
  /** False while taking over the region would lose input in the server's form; then the island waits. */
  readonly mayMount?: (region: HTMLElement) => boolean;
}

export type Registry = { readonly [Name in keyof Islands]: () => Promise<IslandModule<Islands[Name]>> };

export const registry: Registry = {
  "permission-toggles": () => import("../islands/permission-toggles"),
  "user-list": () => import("../islands/user-list"),
};
