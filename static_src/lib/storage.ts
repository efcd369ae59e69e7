// Names of what a tab keeps in its session storage and several scripts know. An enum, because the build inlines its values.

export enum TabStorage {
  /** How the lists of the side menu were left, and by whom (behaviors/list-memory.ts). */
  Lists = "lists",
}
