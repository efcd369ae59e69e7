// "/" goes to the search box of the page (`data-search-key`), unless something is being typed.

export function focusSearchOnSlash(): void {
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const typing = (event.target as Element | null)?.closest?.("input, textarea, select, [contenteditable], dialog");
    const search = document.querySelector<HTMLInputElement>("[data-search-key]");
    if (typing || !search) return;
    event.preventDefault();
    search.focus();
    search.select();
  });
}
