import { expect, test } from "vitest";
import { updateQueryInLinks } from "./keep-query";

test("a link about the list has the query that an island has set [LS-10, DM-13]", () => {
  document.body.innerHTML = '<a href="/users/export?page=3" data-download><span>Export CSV</span></a>';
  updateQueryInLinks();
  history.replaceState(null, "", "/users?keyword=park&status=ACTIVE");
  const link = document.querySelector("a") as HTMLAnchorElement;
  link.addEventListener("click", (event) => event.preventDefault());
  link.firstElementChild?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
  expect(link.href).toBe(`${location.origin}/users/export?keyword=park&status=ACTIVE`);
});
