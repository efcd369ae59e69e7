// `data-download` on a link: a file of the list as it is shown now, which an island may have changed since rendering.

/** Give such a link the query of the page just before it is followed, by mouse or by key. */
export function updateQueryInLinks(): void {
  document.addEventListener("click", (event) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>("a[data-download]");
    if (link) link.search = location.search;
  });
}
