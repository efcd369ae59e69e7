import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type Tone, toast } from "../lib/toasts";
import { showToasts } from "./toasts";

beforeEach(() => {
  vi.useFakeTimers();
  page();
});

afterEach(() => {
  vi.useRealTimers();
});

describe("a toast", () => {
  test("is gone after five seconds [CO-06]", () => {
    addToast("Saved");
    vi.advanceTimersByTime(4_900);
    expect(texts()).toEqual(["Saved"]);
    vi.advanceTimersByTime(200);
    expect(texts()).toEqual([]);
  });

  test("is one of at most five; the oldest is removed [CO-05]", () => {
    for (const number of [1, 2, 3, 4, 5, 6, 7]) addToast(`Event ${number}`);
    expect(texts()).toEqual(["Event 3", "Event 4", "Event 5", "Event 6", "Event 7"]);
  });

  test("is marked as the newest one until another comes, whatever their tones are [CO-08]", () => {
    const newest = () => [...document.querySelectorAll("[data-newest] .toast-text")].map((text) => text.textContent);
    addToast("Failed", "danger");
    expect(newest()).toEqual(["Failed"]);
    addToast("Saved");
    expect(newest()).toEqual(["Saved"]);
    addToast("Failed", "danger"); // the same one again
    expect(newest()).toEqual(["Failed"]);
    expect(texts()).toHaveLength(2);
    document.querySelector<HTMLElement>("[data-newest] .icon-button")?.click();
    expect(newest()).toEqual(["Saved"]);
  });

  test("is newer than the rows that were selected before it [DM-24]", () => {
    document.body.insertAdjacentHTML("beforeend", "<form data-later></form>");
    addToast("Saved");
    expect(document.querySelector("form[data-later]")).toBeNull();
  });

  test("has a button for what can be done about it, and closes with it", () => {
    const run = vi.fn();
    toast({ tone: "success", title: "Added", action: { label: "Undo", run } });
    const button = [...document.querySelectorAll<HTMLElement>(".toast button")].find((b) => b.textContent === "Undo");
    button?.click();
    expect(run).toHaveBeenCalledOnce();
    expect(texts()).toEqual([]);
  });

  test("with an action is gone after ten seconds, and has its button below the text [CO-06]", () => {
    toast({ tone: "success", title: "Added", text: "To your list.", action: { label: "Undo", run: vi.fn() } });
    addToast("Saved");
    expect(document.querySelector(".toast-text")?.lastElementChild?.textContent).toBe("Undo");
    vi.advanceTimersByTime(9_900);
    expect(texts()).toEqual(["Added"]);
    vi.advanceTimersByTime(200);
    expect(texts()).toEqual([]);
  });

  test.each(["Undo", "Close", "Escape"])("gives the focus back to where it was, by %s", (how) => {
    if (how !== "Undo") document.getElementById("other")?.focus();
    else addToast("Another one, which does not take the focus");
    document.getElementById("other")?.focus();
    toast({ tone: "success", title: "Added", action: { label: "Undo", run: vi.fn() } });
    const buttons = [...document.querySelectorAll<HTMLElement>(".toast:last-child button")];
    const button = buttons.find((one) => [one.textContent, one.ariaLabel].includes(how)) ?? buttons[0];
    button?.focus();
    if (how === "Escape") pressEscape();
    else button?.click();
    expect(texts()).not.toContain("Added");
    expect(document.activeElement?.id).toBe("other");
  });

  test("replaces the same one, and its time starts over", () => {
    addToast("Saved");
    addToast("Failed", "danger");
    vi.advanceTimersByTime(3_000);
    addToast("Saved");
    expect(texts().toSorted()).toEqual(["Failed", "Saved"]);
    vi.advanceTimersByTime(3_000);
    expect(texts()).toEqual(["Saved"]);
  });

  test("replaces an older one about the same, and no other", () => {
    for (const [title, about] of [
      ["Off", "export"],
      ["On", "download"],
      ["On", "export"],
    ] as const)
      toast({ tone: "success", title, about });
    addToast("Saved");
    expect(texts()).toEqual(["On", "On", "Saved"]);
  });

  test("is gone after its own five seconds, whatever came later [CO-06]", () => {
    addToast("First");
    vi.advanceTimersByTime(3_000);
    addToast("Second");
    vi.advanceTimersByTime(2_100);
    expect(texts()).toEqual(["Second"]);
    vi.advanceTimersByTime(3_000);
    expect(texts()).toEqual([]);
  });

  test("leaves the focus where it is [AX-08]", () => {
    document.getElementById("other")?.focus();
    addToast("Saved");
    addToast("Failed", "danger");
    expect(document.activeElement?.id).toBe("other");
  });

  test("stays while it has the focus, and continues counting when it loses it [CO-08, DM-27]", () => {
    addToast("Saved");
    vi.advanceTimersByTime(3_000);
    region().querySelector("button")?.focus();
    vi.advanceTimersByTime(60_000);
    expect(texts()).toEqual(["Saved"]);
    region().querySelector("button")?.blur();
    vi.advanceTimersByTime(1_900);
    expect(texts()).toEqual(["Saved"]);
    vi.advanceTimersByTime(200);
    expect(texts()).toEqual([]);
  });

  test("stays while the pointer is on it [CO-08]", () => {
    addToast("Saved");
    region().dispatchEvent(new Event("mouseenter"));
    vi.advanceTimersByTime(60_000);
    expect(texts()).toEqual(["Saved"]);
    region().dispatchEvent(new Event("mouseleave"));
    vi.advanceTimersByTime(5_100);
    expect(texts()).toEqual([]);
  });

  test("waits in a hidden tab until it is visible again [CO-08]", () => {
    const hidden = vi.spyOn(document, "hidden", "get").mockReturnValue(true);
    addToast("Saved");
    vi.advanceTimersByTime(60_000);
    expect(texts()).toEqual(["Saved"]);
    hidden.mockReturnValue(false);
    document.dispatchEvent(new Event("visibilitychange"));
    vi.advanceTimersByTime(5_100);
    expect(texts()).toEqual([]);
  });

  test("has the rest of its time after the tab was hidden [CO-08]", () => {
    const hidden = vi.spyOn(document, "hidden", "get").mockReturnValue(false);
    addToast("Saved");
    vi.advanceTimersByTime(4_000);
    hidden.mockReturnValue(true);
    document.dispatchEvent(new Event("visibilitychange"));
    vi.advanceTimersByTime(60_000);
    expect(texts()).toEqual(["Saved"]);
    hidden.mockReturnValue(false);
    document.dispatchEvent(new Event("visibilitychange"));
    vi.advanceTimersByTime(1_100);
    expect(texts()).toEqual([]);
  });

  test("closes with Escape, the newest first [CO-08, DM-27]", () => {
    addToast("First");
    addToast("Second");
    pressEscape();
    expect(texts()).toEqual(["First"]);
    pressEscape();
    expect(texts()).toEqual([]);
  });

  test("leaves Escape to an open dialog", () => {
    addToast("Saved");
    document.querySelector("dialog")?.showModal();
    pressEscape();
    expect(texts()).toEqual(["Saved"]);
  });

  test("closes with its button, and the focus goes to the page", () => {
    addToast("Saved");
    const close = region().querySelector("button");
    expect(close?.ariaLabel).toBe("Close");
    close?.focus();
    close?.click();
    expect(texts()).toEqual([]);
    expect(document.activeElement?.id).toBe("main");
  });

  test("gives the focus to another one when it is closed, which then stays [CO-08, DM-27]", () => {
    addToast("First");
    addToast("Second");
    const close = [...region().querySelectorAll("button")].at(-1);
    close?.focus();
    close?.click();
    expect(texts()).toEqual(["First"]);
    expect(document.activeElement).toBe(region().querySelector("button"));
    vi.advanceTimersByTime(60_000);
    expect(texts()).toEqual(["First"]);
  });

  test.each([
    ["success", "status"],
    ["info", "status"],
    ["warning", "alert"],
    ["danger", "alert"],
  ] as const)("of the tone %s is a %s for screen readers [AX-08]", (tone, role) => {
    addToast("Heard", tone);
    expect(region().querySelector(`[role="${role}"]`)?.textContent).toBe("Heard");
  });

  test("shows its content as text, never as markup", () => {
    addToast("<img src=x onerror=alert(1)>");
    expect(region().querySelector("img")).toBeNull();
    expect(texts()).toEqual(["<img src=x onerror=alert(1)>"]);
  });
});

describe("the position of the toasts", () => {
  beforeEach(() => stand("#toasts", new DOMRect(880, 72, 384, 70)));

  test.each([
    ["button", new DOMRect(1100, 90, 150, 30), "132px"],
    ["button elsewhere", new DOMRect(280, 90, 120, 30), ""],
    ["page-long table", new DOMRect(280, 100, 970, 1900), ""],
  ])("is their own, or below a %s with the keyboard's focus, now or later [CO-07, AX-02]", (_what, box, expected) => {
    stand("#other", box);
    addToast("Saved");
    expect(start()).toBe("");
    document.getElementById("other")?.focus();
    expect(start()).toBe(expected);
    document.getElementById("other")?.blur();
    addToast("Saved again");
    expect(start()).toBe("");
  });

  test.each(['<div class="page-actions"></div>', '<nav class="tabs"><a href="/teams"></a></nav>'])(
    "is below %s where they would cover it [CO-07]",
    (html) => {
      document.body.insertAdjacentHTML("afterbegin", html);
      stand(".page-actions, .tabs a", new DOMRect(1000, 80, 264, 36));
      addToast("Saved");
      expect(start()).toBe("128px");
      stand(".page-actions, .tabs a", new DOMRect(1000, -80, 264, 36));
      window.dispatchEvent(new Event("scroll"));
      expect(start()).toBe("");
    },
  );

  test("does not move while the user is about to close it", () => {
    stand("#other", new DOMRect(1200, 100, 50, 10));
    document.getElementById("other")?.focus();
    addToast("Saved");
    expect(start()).toBe("122px");
    region().querySelector("button")?.focus();
    expect(start()).toBe("122px");
  });

  test("ignores the focus of the page itself", () => {
    stand("#main", new DOMRect(0, 56, 1280, 444));
    document.getElementById("main")?.focus();
    addToast("Saved");
    expect(start()).toBe("");
  });
});

function page(messages = ""): void {
  document.body.innerHTML = `
    <header class="header"><svg><use href="/icons.svg#menu"/></svg></header>
    <main id="main" tabindex="-1">${messages}<div id="other" tabindex="0"></div><button data-primary>Add</button></main>
    <section id="toasts" data-close="Close"><div role="alert"></div><div role="status"></div></section>
    <dialog></dialog>`;
  showToasts();
}

function addToast(title: string, tone: Tone = "success"): void {
  toast({ tone, title });
}

function region(): HTMLElement {
  const element = document.getElementById("toasts");
  if (!element) throw new Error("no region");
  return element;
}

function texts(): string[] {
  return [...region().querySelectorAll(".toast-title")].map((title) => title.textContent ?? "");
}

function pressEscape(): void {
  document.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" }));
}

function stand(selector: string, box: DOMRect): void {
  const element = document.querySelector(selector);
  if (!element) throw new Error(selector);
  element.getBoundingClientRect = () => box;
}

function start(): string {
  return region().style.getPropertyValue("--toasts-start");
}
