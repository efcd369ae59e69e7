// `data-search` on the header's button: it and its key open the search of the whole console over the page. The key is K with
// `data-key`, which the server chooses by the browser's system: on a Mac, Ctrl+K deletes to the end of a line. The dialog is
// loaded with the first of them; where it can't be, its page opens.

export function openSearchByKey(): void {
  const opener = document.querySelector<HTMLElement>("[data-search]");
  if (!opener) return;
  const open = (event: Event) => {
    event.preventDefault();
    import("./search-dialog").then((m) => m.openSearch(opener)).catch(() => location.assign("/search"));
  };
  opener.addEventListener("click", open);
  document.addEventListener("keydown", (event) => {
    // Keyboards of other scripts have another letter there.
    const isK = event.key > "~" ? event.code === "KeyK" : event.key?.toLowerCase() === "k";
    if (isK && event[opener.dataset.key as "ctrlKey" | "metaKey"] && !event.altKey && !event.shiftKey) open(event);
  });
}
