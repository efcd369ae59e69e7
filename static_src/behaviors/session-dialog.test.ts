import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { postForm, read } from "../lib/api";
import { type Call, done, fakeServer, refused } from "../testing/server";
import { promptForLogin } from "./session";

const OPEN = done({ csrf_token: "fresh", sender: "me" });
const ENDED = refused("", { item: { csrf_token: "fresh", sender: "" } });
const LOGIN = refused("", { goto: "/login?next=/list" });

let calls: Call[];
let sent: { token: string; button: string }[] = [];

document.head.innerHTML = '<meta name="csrf-token" content="old">';
document.body.innerHTML = `<main><form id="edit" method="post" action="/edit"><input type="hidden" name="csrfmiddlewaretoken" value="old">
  <input name="name" value="Ada"><button name="another" value="1">Save</button></form>
  <form id="out" method="post" data-logout></form><form id="search" method="get"></form></main>
  <dialog id="log-in-again" data-unreachable="Check your connection."><form method="post" action="/login">
  <input type="hidden" name="csrfmiddlewaretoken" value="old"><p role="alert" hidden></p><input name="email"><input name="password">
  <button type="button" data-cancel>Cancel</button><button>Log in</button></form></dialog>`;
document.documentElement.dataset.sender = "me";
promptForLogin();
document.addEventListener("submit", (event) => {
  const form = event.target as HTMLFormElement;
  const token = form.querySelector<HTMLInputElement>('[name="csrfmiddlewaretoken"]')?.value ?? "";
  if (!event.defaultPrevented) sent.push({ token, button: event.submitter?.textContent ?? form.id });
  event.preventDefault();
});

beforeEach(() => {
  calls = fakeServer();
  sent = [];
  for (const field of document.querySelectorAll<HTMLInputElement>('[name="csrfmiddlewaretoken"]')) field.value = "old";
});

afterEach(() => {
  dialog().close("");
  vi.unstubAllGlobals();
});

test("while the session is open, a form is submitted with the pressed button and a fresh token", async () => {
  save();
  expect(sent).toEqual([]);
  await answer("/session", OPEN);
  await vi.waitFor(() => expect(sent).toEqual([{ token: "fresh", button: "Save" }]));
  expect(dialog().open).toBe(false);
});

test("a second press during the check submits nothing more", async () => {
  save();
  save();
  await answer("/session", OPEN);
  await vi.waitFor(() => expect(sent).toHaveLength(1));
  expect(calls).toHaveLength(1);
});

test("without an answer the form is submitted anyway", async () => {
  save();
  await vi.waitFor(() => expect(calls).toHaveLength(1));
  calls[0]?.breakOff();
  await vi.waitFor(() => expect(sent).toHaveLength(1));
});

test.each(["out", "search"])("the form #%s does not ask", (id) => {
  (document.getElementById(id) as HTMLFormElement).requestSubmit();
  expect(calls).toEqual([]);
  expect(sent).toHaveLength(1);
});

test("an ended session asks for a login, and then the form is submitted", async () => {
  await ended();
  expect(sent).toEqual([]);
  logIn("admin@demo.example", "Demo123!");
  expect(calls[1]?.url).toBe("/login");
  expect(calls[1]?.headers.get("Accept")).toBe("application/json");
  const body = calls[1]?.body as FormData;
  expect([body.get("email"), body.get("password"), body.get("csrfmiddlewaretoken")]).toEqual([
    "admin@demo.example",
    "Demo123!",
    "fresh",
  ]);
  calls[1]?.answer(done({ csrf_token: "newest", sender: "me" }));
  await vi.waitFor(() => expect(sent).toEqual([{ token: "newest", button: "Save" }]));
  expect(dialog().open).toBe(false);
  expect(document.querySelector<HTMLMetaElement>("meta")?.content).toBe("newest");
  expect(field("password").value).toBe("");
});

test("a refusal is shown in the dialog, and one can try again", async () => {
  await ended();
  logIn("admin@demo.example", "wrong");
  calls[1]?.answer(refused("Login failed."), 422);
  await vi.waitFor(() => expect(errorMessage()).toBe("Login failed."));
  expect(document.activeElement).toBe(field("password"));
  logIn("admin@demo.example", "Demo123!");
  expect(errorMessage()).toBe("");
  calls[2]?.answer(done({ csrf_token: "newest", sender: "me" }));
  await vi.waitFor(() => expect(sent).toHaveLength(1));
});

test("a token that another tab made stale is renewed, and the login goes on [SEC-37]", async () => {
  await ended();
  logIn("admin@demo.example", "Demo123!");
  calls[1]?.answer(refused("No longer valid.", { item: { csrf_token: "renewed" } }), 403);
  await vi.waitFor(() => expect(calls).toHaveLength(3));
  const body = calls[2]?.body as FormData;
  expect([body.get("password"), body.get("csrfmiddlewaretoken")]).toEqual(["Demo123!", "renewed"]);
  calls[2]?.answer(done({ csrf_token: "newest", sender: "me" }));
  await vi.waitFor(() => expect(sent).toEqual([{ token: "newest", button: "Save" }]));
});

test("a lost connection is shown in the dialog", async () => {
  await ended();
  logIn("admin@demo.example", "Demo123!");
  calls[1]?.breakOff();
  await vi.waitFor(() => expect(errorMessage()).toBe("Check your connection."));
});

test("canceling keeps the page, and nothing is submitted", async () => {
  await ended();
  [...dialog().querySelectorAll("button")].find((button) => button.textContent === "Cancel")?.click();
  expect(dialog().open).toBe(false);
  await vi.waitFor(() => {
    save();
    expect(calls).toHaveLength(2);
  });
  expect(sent).toEqual([]);
  await answer("/session", OPEN);
});

test("another administrator can't continue on this page", async () => {
  const assign = vi.spyOn(location, "assign").mockImplementation(() => {});
  await ended();
  logIn("other@demo.example", "Demo123!");
  calls[1]?.answer(done({ csrf_token: "newest", sender: "somebody else" }));
  await vi.waitFor(() => expect(assign).toHaveBeenCalledWith("/"));
  expect(sent).toEqual([]);
});

function dialog(): HTMLDialogElement {
  return document.querySelector("dialog") as HTMLDialogElement;
}

function field(name: string): HTMLInputElement {
  return dialog().querySelector(`[name="${name}"]`) as HTMLInputElement;
}

function errorMessage(): string | null | undefined {
  return dialog().querySelector('[role="alert"]')?.textContent;
}

function save(): void {
  const form = document.getElementById("edit") as HTMLFormElement;
  form.requestSubmit(form.querySelector("button"));
}

function logIn(email: string, password: string): void {
  field("email").value = email;
  field("password").value = password;
  (dialog().querySelector("form") as HTMLFormElement).requestSubmit();
}

/** Answer the latest call, which is to this address; the first one waits for the dialog to be loaded. */
async function answer(url: string, body: object, status = 200): Promise<void> {
  await vi.waitFor(() => expect(calls.at(-1)?.url).toBe(url));
  calls.at(-1)?.answer(body, status);
}

/** Press Save after the session has ended. */
async function ended(): Promise<void> {
  save();
  await answer("/session", ENDED, 401);
  await vi.waitFor(() => expect(dialog().open).toBe(true));
}

test("an island's call is repeated, with the new token", async () => {
  const answered = postForm("/permissions", { allow_export: "on" });
  calls[0]?.answer(LOGIN, 401);
  await vi.waitFor(() => expect(calls).toHaveLength(2));
  await answer("/session", ENDED, 401);
  await vi.waitFor(() => expect(dialog().open).toBe(true));
  logIn("admin@demo.example", "Demo123!");
  calls[2]?.answer(done({ csrf_token: "newest", sender: "me" }));
  await vi.waitFor(() => expect(calls).toHaveLength(4));
  expect([calls[3]?.url, calls[3]?.headers.get("X-CSRFToken")]).toEqual(["/permissions", "newest"]);
  calls[3]?.answer(done(null, "Saved."));
  expect(await answered).toMatchObject({ ok: true, message: "Saved." });
});

test("several refused calls open one dialog", async () => {
  const answered = [read("/a"), read("/b")];
  calls[0]?.answer(LOGIN, 401);
  calls[1]?.answer(LOGIN, 401);
  await vi.waitFor(() => expect(calls).toHaveLength(3));
  await answer("/session", OPEN);
  await vi.waitFor(() => expect(calls).toHaveLength(5));
  calls[3]?.answer(done(1));
  calls[4]?.answer(done(2));
  expect((await Promise.all(answered)).map(({ item }) => item)).toEqual([1, 2]);
});

test("an island that is refused a second time, or whose login was canceled, goes to the login page", async () => {
  const assign = vi.spyOn(location, "assign").mockImplementation(() => {});
  void read("/list");
  calls[0]?.answer(LOGIN, 401);
  await vi.waitFor(() => expect(calls).toHaveLength(2));
  await answer("/session", OPEN);
  await vi.waitFor(() => expect(calls).toHaveLength(3));
  calls[2]?.answer(LOGIN, 401);
  await vi.waitFor(() => expect(assign).toHaveBeenCalledWith(`${location.origin}/login?next=/list`));
});

test("how lists were left is forgotten with the session [ST-20]", async () => {
  sessionStorage.setItem("memory", "{}");
  save();
  await answer("/session", ENDED);
  await vi.waitFor(() => expect(dialog().open).toBe(true));
  expect(sessionStorage.getItem("memory")).toBeNull();
  expect(document.documentElement.dataset.ended).toBe("");
  logIn("admin@demo.example", "Demo123!");
  calls[1]?.answer(done({ csrf_token: "newest", sender: "me" }));
  await vi.waitFor(() => expect(sent).toHaveLength(1));
  expect(document.documentElement.dataset.ended, "the same administrator goes on").toBeUndefined();
});

test("the stored state of lists is cleared if another administrator has logged in since [ST-20]", async () => {
  vi.spyOn(location, "assign").mockImplementation(() => {});
  sessionStorage.setItem("memory", "{}");
  save();
  await answer("/session", done({ csrf_token: "fresh", sender: "somebody else" }));
  await vi.waitFor(() => expect(sessionStorage.getItem("memory")).toBeNull());
  expect(document.documentElement.dataset.ended).toBe("");
});

test("who logged in again in another tab is not asked any more [ER-11]", async () => {
  save();
  await answer("/session", ENDED);
  await vi.waitFor(() => expect(dialog().open).toBe(true));
  document.dispatchEvent(new Event("visibilitychange"));
  await answer("/session", ENDED);
  expect(dialog().open).toBe(true);
  document.dispatchEvent(new Event("visibilitychange"));
  await answer("/session", OPEN);
  await vi.waitFor(() => expect(sent).toEqual([{ token: "fresh", button: "Save" }]));
  expect(dialog().open).toBe(false);
});
