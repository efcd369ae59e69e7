// The script of every page with islands. It is small: what an island needs is loaded when it is wanted.

import { importIsland } from "./runtime/chunks";
import { startIslands } from "./runtime/island-loader";

startIslands(document, importIsland);
