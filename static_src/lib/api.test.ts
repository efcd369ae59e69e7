import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Call, done, fakeServer, refused } from "../testing/server";
import { Failure, getJson, postForm, read } from "./api";

let calls: Call[];

beforeEach(() => {
  calls = fakeServer();
  document.head.innerHTML = '<meta name="csrf-token" content="masked-token">';
});

afterEach(() => {
  vi.unstubAllGlobals();
  document.head.innerHTML = "";
});

describe("reading", () => {
  it("requests JSON and returns the item", async () => {
    const item = read<{ id: string }>("/list?page=2");
    expect(calls[0]?.headers.get("Accept")).toBe("application/json");
    calls[0]?.answer(done({ id: "a" }));
    expect(await item).toEqual({ item: { id: "a" }, counts: null });
  });

  it("throws a refusal with its message and trace id", async () => {
    const item = read("/list");
    calls[0]?.answer(refused("No such clinic."), 404);
    await expect(item).rejects.toMatchObject({
      kind: "refused",
      message: "No such clinic.",
      details: "request_id: t-2",
    });
  });

  it("reads a file of texts unchanged", async () => {
    const texts = getJson("/i18n/fr-FR/abc.json");
    calls[0]?.answer({ Save: "Enregistrer" });
    expect(await texts).toEqual({ Save: "Enregistrer" });
  });

  it("does not mistake an error for a file of texts", async () => {
    const texts = getJson("/i18n/xx/abc.json");
    calls[0]?.answer({ detail: "not found" }, 404);
    await expect(texts).rejects.toBeInstanceOf(Failure);
  });
});

describe("sending", () => {
  it("posts a form with the CSRF token of the page", async () => {
    const answer = postForm("/permissions", { allow_export: "off", version: "3" });
    expect(calls[0]?.method).toBe("POST");
    expect(calls[0]?.headers.get("X-CSRFToken")).toBe("masked-token");
    expect(String(calls[0]?.body)).toBe("allow_export=off&version=3");
    calls[0]?.answer(done(null, "Saved."));
    expect(await answer).toMatchObject({ ok: true, message: "Saved." });
  });

  it("returns a refusal with the errors of its fields", async () => {
    const answer = postForm("/permissions", {});
    calls[0]?.answer(refused("Not saved.", { errors: { name: ["Taken."] } }), 422);
    expect(await answer).toEqual({
      ok: false,
      message: "Not saved.",
      item: null,
      counts: null,
      errors: { name: ["Taken."] },
      goto: "",
      traceId: "t-2",
      details: "request_id: t-2",
      undo: "",
      undoLabel: "",
    });
  });
});

describe("an answer that says where to go", () => {
  it("is followed, and does not settle before the page is gone", async () => {
    const assign = vi.spyOn(location, "assign").mockImplementation(() => {});
    const settled = vi.fn();
    void read("/list").then(settled, settled);
    calls[0]?.answer(refused("Your session has expired.", { goto: "/login?next=/list" }), 401);
    await vi.waitFor(() => expect(assign).toHaveBeenCalledWith(`${location.origin}/login?next=/list`));
    expect(settled).not.toHaveBeenCalled();
  });

  it.each(["https://elsewhere.example/login", "javascript:alert(1)", "//elsewhere.example"])(
    "is not believed when it leads to %s",
    async (goto) => {
      const assign = vi.spyOn(location, "assign").mockImplementation(() => {});
      const item = read("/list");
      calls[0]?.answer(refused("", { goto }), 401);
      await expect(item).rejects.toMatchObject({ kind: "unreadable" });
      expect(assign).not.toHaveBeenCalled();
    },
  );
});

describe("no answer of the console", () => {
  it("is unreachable when the connection is lost", async () => {
    const item = read("/list");
    calls[0]?.breakOff();
    await expect(item).rejects.toMatchObject({ kind: "unreachable" });
  });

  it.each([
    ["<h1>Bad gateway</h1>", "text/html"],
    ["{half", "application/json"],
    ['{"detail": "other"}', "application/json"],
    ["null", "application/json"],
  ])("is unreadable when it is %s", async (text, type) => {
    const item = read("/list");
    calls[0]?.answerText(text, type, 502);
    await expect(item).rejects.toMatchObject({ kind: "unreadable" });
  });

  it("is not reported when the caller aborted", async () => {
    const giveUp = new AbortController();
    const item = read("/list", giveUp.signal);
    giveUp.abort();
    await expect(item).rejects.toMatchObject({ name: "AbortError" });
  });
});
