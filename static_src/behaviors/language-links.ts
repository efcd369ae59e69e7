// The links of the language menu lead to the current address, which an island may have changed since rendering.

/** Rewrite a language link just before it is followed, by mouse or by key. */
export function updateLanguageLinks(): void {
  document.querySelector(".language-menu")?.addEventListener("click", (event) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>("a");
    if (!link) return;
    const url = new URL(location.href);
    url.searchParams.set("lng", link.lang);
    link.href = url.href;
  });
}
