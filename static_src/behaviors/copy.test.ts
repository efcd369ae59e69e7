import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { PageEvent } from "../lib/events";
import { initAddressButtons, initCopyButtons } from "./copy";

beforeEach(() => {
  document.body.innerHTML = '<button data-copy="request-7" data-copied="Copied" hidden></button>';
});

afterEach(() => vi.unstubAllGlobals());

test("the button copies its text and says so [ER-33]", async () => {
  const writeText = vi.fn(async () => {});
  vi.stubGlobal("navigator", { clipboard: { writeText } });
  const toast = new Promise((resolve) =>
    document.addEventListener(PageEvent.Toast, (e) => resolve((e as CustomEvent).detail)),
  );
  initCopyButtons();
  expect(button().hidden).toBe(false);
  button().click();
  expect(await toast).toEqual({ tone: "success", title: "Copied" });
  expect(writeText).toHaveBeenCalledWith("request-7");
});

test("an address is copied as a whole", async () => {
  const writeText = vi.fn(async () => {});
  vi.stubGlobal("navigator", { clipboard: { writeText } });
  delete button().dataset.copy;
  button().dataset.copyAddress = "/clinic?keyword=kim";
  initAddressButtons();
  button().click();
  expect(writeText).toHaveBeenCalledWith(new URL("/clinic?keyword=kim", location.href).href);
});

test("without a clipboard there is no button", () => {
  vi.stubGlobal("navigator", {});
  initCopyButtons();
  expect(button().hidden).toBe(true);
});

function button(): HTMLButtonElement {
  return document.querySelector("button") as HTMLButtonElement;
}
