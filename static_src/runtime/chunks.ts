// The files of the islands, whose names only the build knows.

import type { Island } from "./island-loader";

/** File names by island, in the folder of this script, its own first: JSON that build.mjs puts here. */
declare const CHUNKS: string;

const names: Readonly<Record<string, readonly string[]>> = JSON.parse(CHUNKS);

export async function importIsland(island: string): Promise<Island> {
  const [entry] = names[island] ?? [];
  if (!entry) throw new Error(`no island is called ${island}`);
  return import(getUrl(entry));
}

/**
 * Load all files of an island at the same time. The import alone would be a chain of round trips: each file names its
 * imports only after it has arrived, and the texts would come last.
 */
export function preload(island: string): void {
  for (const name of names[island] ?? []) ahead({ rel: "modulepreload", href: getUrl(name) });
  const texts = document.documentElement.dataset.i18n;
  if (texts) ahead({ rel: "preload", as: "fetch", crossOrigin: "anonymous", href: texts });
}

function getUrl(name: string): string {
  return new URL(name, import.meta.url).href;
}

function ahead(link: Partial<HTMLLinkElement>): void {
  document.head.append(Object.assign(document.createElement("link"), link));
}
