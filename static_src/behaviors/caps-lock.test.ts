import { beforeEach, expect, test } from "vitest";
import { watchCapsLock } from "./caps-lock";

beforeEach(() => {
  document.body.innerHTML =
    '<input id="password"><p role="status" data-caps-lock="password" data-text="Caps Lock is on."></p>';
  watchCapsLock();
});

test("the hint comes and goes with Caps Lock", () => {
  type(true);
  expect(hint()).toBe("Caps Lock is on.");
  type(false);
  expect(hint()).toBe("");
});

test("it is gone when the field is left", () => {
  type(true);
  document.querySelector("input")?.dispatchEvent(new Event("blur"));
  expect(hint()).toBe("");
});

function type(capsLock: boolean): void {
  const event = new KeyboardEvent("keydown", { key: "a" });
  event.getModifierState = (key) => key === "CapsLock" && capsLock;
  document.querySelector("input")?.dispatchEvent(event);
}

function hint(): string {
  return document.querySelector("p")?.textContent ?? "";
}
