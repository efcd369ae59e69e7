import { expect, test, vi } from "vitest";
import { continueByItself } from "./continue";

test("the next step of a running job is submitted automatically, once [LS-06]", () => {
  document.body.innerHTML = "<form data-continue><button>Go on</button></form><form></form>";
  const submitted = vi.fn((event: Event) => event.preventDefault());
  for (const form of document.querySelectorAll("form")) form.addEventListener("submit", submitted);
  continueByItself();
  expect(submitted).toHaveBeenCalledOnce();
});
