// Whether this browser is one of those that README.md names. Any other gets the pages as they are without scripts.

export function isSupported(): boolean {
  try {
    document.querySelector(":popover-open"); // throws if unknown
    return CSS.supports("color", "light-dark(#000, #fff)");
  } catch {
    return false;
  }
}
