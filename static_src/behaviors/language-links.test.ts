import { expect, test } from "vitest";
import { updateLanguageLinks } from "./language-links";

test("a language link leads to the address that an island has set [LN-34, RT-41]", () => {
  document.body.innerHTML = '<nav class="language-menu"><a href="?lng=ko-KR" lang="ko-KR"><bdi>한국어</bdi></a></nav>';
  updateLanguageLinks();
  history.replaceState(null, "", "/users?keyword=park&page=2&lng=fr-FR#row");
  const link = document.querySelector("a") as HTMLAnchorElement;
  link.addEventListener("click", (event) => event.preventDefault());
  link.firstElementChild?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
  expect(link.href).toBe(`${location.origin}/users?keyword=park&page=2&lng=ko-KR#row`);
});
