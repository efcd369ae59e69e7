import { beforeEach, expect, test } from "vitest";
import { applyToAll } from "./apply-to-all";

const TYPES = `<option value="">Choose a type</option><option value="DOCTOR">Doctor</option><option value="STAFF">Staff</option>`;

beforeEach(() => {
  document.body.innerHTML = `<form><input type="hidden" name="applied_user_type" value="">
    ${["user_type", "row-0-user_type", "row-1-user_type"].map((name) => `<select name="${name}">${TYPES}</select>`).join("")}
    </form>`;
});

test("another value for all is that of each row that had the previous one [UC-06]", () => {
  applyToAll();
  choose("user_type", "DOCTOR");
  expect(values()).toEqual(["DOCTOR", "DOCTOR", "DOCTOR", "DOCTOR"]);
  choose("user_type", "STAFF");
  expect(values()).toEqual(["STAFF", "STAFF", "STAFF", "STAFF"]);
});

test("a row that was set to another value keeps it", () => {
  applyToAll();
  choose("row-1-user_type", "STAFF");
  choose("user_type", "DOCTOR");
  expect(values()).toEqual(["DOCTOR", "DOCTOR", "DOCTOR", "STAFF"]);
});

test("what was chosen before the script came is applied, too", () => {
  one("user_type").value = "DOCTOR";
  applyToAll();
  expect(values()).toEqual(["DOCTOR", "DOCTOR", "DOCTOR", "DOCTOR"]);
});

function choose(name: string, value: string): void {
  one(name).value = value;
  one(name).dispatchEvent(new Event("change", { bubbles: true }));
}

function one(name: string): HTMLSelectElement {
  return document.querySelector(`[name=${name}]`) as HTMLSelectElement;
}

/** The applied value, the one for all, and those of the rows. */
function values(): string[] {
  return [...document.querySelectorAll<HTMLSelectElement>("input, select")].map((field) => field.value);
}
