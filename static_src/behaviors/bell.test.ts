import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { pollUnread } from "./bell";

let hidden = false;
let requestedUrls: string[] = [];
let answer: () => Response;

function answered(item: unknown): Response {
  return new Response(JSON.stringify({ ok: item !== null, item }), { headers: { "Content-Type": "application/json" } });
}

function bell(): HTMLElement {
  return document.querySelector("[data-bell]") as HTMLElement;
}

beforeEach(() => {
  vi.useFakeTimers();
  hidden = false;
  requestedUrls = [];
  answer = () => answered({ count: "4", label: "Notifications, 4 unread" });
  document.body.innerHTML = `<a data-bell="/notifications/unread" aria-label="Notifications, 3 unread"><span class="count">3</span></a>`;
  vi.spyOn(document, "hidden", "get").mockImplementation(() => hidden);
  vi.stubGlobal("fetch", (url: string) => {
    requestedUrls.push(url);
    return Promise.resolve(answer());
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe("the bell", () => {
  it("tells the new number, in words too, and asks once a minute at most [CO-20]", async () => {
    pollUnread();
    await vi.advanceTimersByTimeAsync(10);
    expect(bell().textContent).toBe("4");
    expect(bell().getAttribute("aria-label")).toBe("Notifications, 4 unread");
    await vi.advanceTimersByTimeAsync(59_000);
    expect(requestedUrls).toEqual(["/notifications/unread"]);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(requestedUrls).toHaveLength(2);
  });

  it("is not asked for by a hidden tab, and at once when the tab is seen again [CO-20]", async () => {
    hidden = true;
    pollUnread();
    await vi.advanceTimersByTimeAsync(300_000);
    expect(requestedUrls).toEqual([]);
    hidden = false;
    document.dispatchEvent(new Event("visibilitychange"));
    await vi.advanceTimersByTimeAsync(10);
    expect(requestedUrls).toHaveLength(1);
  });

  it("keeps its number when the count is unknown, and asks again later", async () => {
    answer = () => answered(null);
    pollUnread();
    await vi.advanceTimersByTimeAsync(10);
    expect(bell().textContent).toBe("3");
    answer = () => new Response("<html>", { status: 502 });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(bell().textContent).toBe("3");
    expect(requestedUrls).toHaveLength(2);
  });
});
