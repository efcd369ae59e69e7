import { afterEach, beforeEach, expect, test, vi } from "vitest";
import table from "../../console/forms/rules.json";
import { type Call, fakeServer } from "../testing/server";
import { checkAvailability } from "./availability";

let calls: Call[];
let submitted: number;

beforeEach(() => {
  calls = fakeServer();
  submitted = 0;
  document.body.innerHTML = `<form action="/create-account" method="post">
    <input type="hidden" name="csrfmiddlewaretoken" value="old"><input type="password" name="password" value="Demo123!">
    <select name="server_location"><option value="EU" selected></option></select>
    <div data-availability="email" data-max-length="254" data-invalid="Invalid email" data-failed="Not now." data-checking="…">
    <input name="email"><button name="check" value="email">Check</button><p class="field-error">Old error</p>
    <p role="status"></p><input type="hidden" name="email_checked" value=""></div>
    <button id="send">Send</button></form>`;
  one("[data-availability]").dataset.pattern = table.email.pattern;
  checkAvailability();
  one("form").addEventListener("submit", (event) => {
    if (!event.defaultPrevented) submitted += 1;
    event.preventDefault();
  });
});

afterEach(() => vi.unstubAllGlobals());

test("leaving the field asks whether the value is free, and keeps the proof [VA-12]", async () => {
  leave("ada@clinic.example");
  expect(Object.fromEntries(new URLSearchParams(calls[0]?.body as URLSearchParams))).toEqual({
    check: "email",
    email: "ada@clinic.example",
    csrfmiddlewaretoken: "old",
    server_location: "EU",
  });
  answer({ state: "free", text: "This email is available", proof: "p-1" });
  await vi.waitFor(() => expect(statusText()).toBe("This email is available"));
  expect(proof()).toBe("p-1");
  expect(document.querySelector(".field-error")).toBeNull();
});

test("an edit voids the answer [VA-14]", async () => {
  leave("ada@clinic.example");
  answer({ state: "free", text: "free", proof: "p-1" });
  await vi.waitFor(() => expect(proof()).toBe("p-1"));
  type("eve@clinic.example");
  expect([proof(), statusText()]).toEqual(["", ""]);
});

test("an answer about a value that has been edited since is ignored [VA-14]", async () => {
  leave("ada@clinic.example");
  type("eve@clinic.example");
  answer({ state: "free", text: "free", proof: "p-ada" });
  await vi.waitFor(() => expect(calls).toHaveLength(2));
  answer({ state: "taken", text: "This email is already in use", proof: "" }, 1);
  await vi.waitFor(() => expect(statusText()).toBe("This email is already in use"));
  expect(proof()).toBe("");
  expect(field().ariaInvalid).toBe("true");
});

test("an invalid email is reported without a request [VA-37]", async () => {
  leave("ada");
  await vi.waitFor(() => expect(statusText()).toBe("Invalid email"));
  expect(calls).toHaveLength(0);
});

test("sending the form waits for the check [VA-12]", async () => {
  type("ada@clinic.example");
  press("#send");
  expect(submitted).toBe(0);
  answer({ state: "free", text: "free", proof: "p-1" });
  await vi.waitFor(() => expect(submitted).toBe(1));
});

test("a form with a value that is taken is not sent, and the field has the focus [VA-12]", async () => {
  type("ada@clinic.example");
  press("#send");
  answer({ state: "taken", text: "taken", proof: "" });
  await vi.waitFor(() => expect(document.activeElement).toBe(field()));
  expect(submitted).toBe(0);
});

test("where the check fails the form may be sent, and the server decides", async () => {
  type("ada@clinic.example");
  press("#send");
  calls[0]?.breakOff();
  await vi.waitFor(() => expect(submitted).toBe(1));
  expect(statusText()).toBe("Not now.");
});

test("the button asks, and sends nothing else", async () => {
  type("ada@clinic.example");
  press("[name=check]");
  answer({ state: "free", text: "free", proof: "p-1" });
  await vi.waitFor(() => expect(statusText()).toBe("free"));
  expect(submitted).toBe(0);
});

test("a form that was open while another tab logged in gets the new token", async () => {
  leave("ada@clinic.example");
  calls[0]?.answer({ ok: false, message: "no longer valid", item: { csrf_token: "new" } }, 403);
  await vi.waitFor(() => expect(calls).toHaveLength(2));
  expect(String(calls[1]?.body)).toContain("csrfmiddlewaretoken=new");
});

function one<T extends HTMLElement>(selector: string): T {
  return document.querySelector(selector) as T;
}

function field(): HTMLInputElement {
  return one("[name=email]");
}

function type(text: string): void {
  field().value = text;
  field().dispatchEvent(new Event("input"));
}

function leave(text: string): void {
  type(text);
  field().dispatchEvent(new Event("change"));
}

function press(selector: string): void {
  one<HTMLFormElement>("form").requestSubmit(one(selector));
}

function answer(item: object, call = 0): void {
  calls[call]?.answer({ ok: true, message: "", item });
}

function statusText(): string {
  return one("[role=status]").textContent ?? "";
}

function proof(): string {
  return one<HTMLInputElement>("[name=email_checked]").value;
}
