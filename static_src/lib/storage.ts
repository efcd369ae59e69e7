// Names of what a tab keeps in its session storage and several scripts know. An enum, because the build inlines its values.

export enum TabStorage {
  /** Whose it is, how the lists of the side menu were left, and what the search opened (behaviors/list-memory.ts). */
  Memory = "memory",
}
