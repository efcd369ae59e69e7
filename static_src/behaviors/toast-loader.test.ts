import { beforeEach, expect, test, vi } from "vitest";
import { toast } from "../lib/toasts";
import { loadToastsWhenNeeded } from "./toast-loader";

beforeEach(() => {
  document.body.innerHTML =
    '<section id="toasts" data-sheet="/toasts.css" data-close="Close"><div role="alert"></div><div role="status"></div></section>';
});

function titles() {
  return [...document.querySelectorAll("#toasts .toast")].map((element) => element.textContent?.trim());
}

test("toasts that come before their script are shown once it is there, each once", async () => {
  vi.spyOn(document.head, "append").mockImplementation((sheet) =>
    queueMicrotask(() => (sheet as HTMLElement).onload?.(new Event("load"))),
  );
  loadToastsWhenNeeded();
  toast({ tone: "success", title: "First" });
  toast({ tone: "success", title: "Second" });
  await vi.waitFor(() => expect(titles()).toHaveLength(2));
  toast({ tone: "success", title: "Third" });
  expect(titles().map((title) => title?.split(" ")[0])).toEqual(expect.arrayContaining(["First", "Second", "Third"]));
  expect(titles()).toHaveLength(3);
});
