// Whether this browser is one of those that README.md names. Any other gets the pages as they are without scripts.

export function isSupported(): boolean {
  try {
    document.querySelector(":popover-open"); // throws if unknown
    // Firefox knows colors that are relative to others from 128; Chrome and Safari know them longer than light-dark().
    return CSS.supports("color", "light-dark(rgb(from #000 r g b), #fff)");
  } catch {
    return false;
  }
}
