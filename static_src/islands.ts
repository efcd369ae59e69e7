// The script of every page with islands. It is small: what an island needs is loaded when it is wanted. What must answer
// the first press in a list, before that, is here.

import { omitEmptyFields } from "./behaviors/clean-query";
import { updateQueryInLinks } from "./behaviors/keep-query";
import { initSelection } from "./behaviors/selection";
import { isSupported } from "./lib/supported";
import { importIsland } from "./runtime/chunks";
import { startIslands } from "./runtime/island-loader";

if (isSupported()) {
  omitEmptyFields();
  updateQueryInLinks();
  initSelection();
  startIslands(document, importIsland);
}
