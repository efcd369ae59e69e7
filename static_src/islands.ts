// The script of every page with islands. It is small and contains no React: what an island needs comes by dynamic
// imports. The libraries are imported here, too, so that each is a separate chunk: a change of our code leaves theirs
// in the browser's cache.

import { type Runtime, startIslands } from "./lib/island-loader";
import { registry } from "./lib/registry";

const runtime: Runtime = {
  dom: () => import("./lib/react-dom"),
  mount: () => import("./lib/mount"),
  libraries: [() => import("i18next"), () => import("./lib/query")],
};

startIslands(document, registry, runtime);
