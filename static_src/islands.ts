// The one script of every page that has islands. It is small and holds no React: what an island needs comes by dynamic
// imports. The libraries are named here, too, so that each has a chunk of its own: a change of our code leaves theirs
// in the browser's cache.

import { type Runtime, startIslands } from "./lib/island-loader";
import { registry } from "./lib/registry";

const runtime: Runtime = {
  dom: () => import("./lib/react-dom"),
  mount: () => import("./lib/mount"),
  libraries: [() => import("i18next"), () => import("./lib/query")],
};

startIslands(document, registry, runtime);
