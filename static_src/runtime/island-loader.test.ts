import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { CHUNK_LIMIT_MS, type Island, startIslands } from "./island-loader";

const start = vi.fn(async () => {});
const island = { start };

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(console, "error").mockImplementation(() => {});
  start.mockClear();
  sessionStorage.clear();
  document.head.innerHTML = "";
  document.body.innerHTML =
    '<script type="text/plain" data-failed="This page works in its simple form." data-reload="Reload"></script>' +
    '<section data-island="list"><input><table><tr><td>Ada</td></tr></table></section>';
});

afterEach(() => {
  vi.useRealTimers();
});

async function startPage(load: (name: string) => Promise<unknown>) {
  startIslands(document, load as (name: string) => Promise<Island>);
  await vi.advanceTimersByTimeAsync(1);
}

const never = () => new Promise<never>(() => {});
const broken = () => Promise.reject(new TypeError("Failed to fetch dynamically imported module"));

function region() {
  return document.querySelector<HTMLElement>("[data-island]");
}

function notice() {
  return document.querySelector(".island-notice");
}

it("starts an island, and marks its region", async () => {
  await startPage(async () => island);
  expect(start).toHaveBeenCalledWith(region());
  expect(region()?.dataset.islandReady).toBe("");
  expect(notice()).toBeNull();
});

it("loads nothing on a page without islands", async () => {
  document.body.innerHTML = "<p>no island</p>";
  const load = vi.fn(async () => island);
  await startPage(load);
  expect(load).not.toHaveBeenCalled();
});

it("loads only the islands of the page [RT-35]", async () => {
  const load = vi.fn(async () => island);
  await startPage(load);
  expect(load.mock.calls).toEqual([["list"]]);
});

it("loads the texts together with the code", async () => {
  const links: HTMLLinkElement[] = [];
  vi.spyOn(document.head, "append").mockImplementation((link) => void links.push(link as HTMLLinkElement));
  document.documentElement.dataset.i18n = "/i18n/en-US/1.json";
  await startPage(never);
  delete document.documentElement.dataset.i18n;
  expect(links.map((link) => [link.rel, link.getAttribute("href")])).toEqual([["preload", "/i18n/en-US/1.json"]]);
});

it("tells an island that arrives late that a word is being composed", async () => {
  startIslands(document, never);
  const input = document.querySelector("input");
  input?.dispatchEvent(new CompositionEvent("compositionstart", { bubbles: true }));
  expect(region()?.hasAttribute("data-composing")).toBe(true);
  input?.dispatchEvent(new CompositionEvent("compositionend", { bubbles: true }));
  expect(region()?.hasAttribute("data-composing")).toBe(false);
});

describe("a chunk that does not load", () => {
  it("is waited for 120 seconds, and no longer [CA-36, CO-10]", async () => {
    expect(CHUNK_LIMIT_MS).toBe(120_000);
    await startPage(never);
    await vi.advanceTimersByTimeAsync(119_998);
    expect(region()?.dataset.islandFailed).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    expect(region()?.dataset.islandFailed).toBe("");
  });

  it("is not mounted when it arrives after that [CA-36]", async () => {
    let arrive: (module: unknown) => void = () => {};
    void startPage(
      () =>
        new Promise((resolve) => {
          arrive = resolve;
        }),
    );
    await vi.advanceTimersByTimeAsync(120_000);
    arrive(island);
    await vi.advanceTimersByTimeAsync(1);
    expect(start).not.toHaveBeenCalled();
  });

  it("is requested once more", async () => {
    const load = vi.fn(async () => island as unknown).mockRejectedValueOnce(new TypeError("network"));
    await startPage(load);
    expect(load).toHaveBeenCalledTimes(2);
    expect(start).toHaveBeenCalledOnce();
  });

  it("leaves the server's rows and offers a reload [CA-37]", async () => {
    const load = vi.fn(broken);
    await startPage(load);
    expect(load).toHaveBeenCalledTimes(2);
    expect(region()?.textContent).toBe("Ada");
    expect(notice()?.getAttribute("role")).toBe("status");
    expect(notice()?.textContent).toBe("This page works in its simple form.Reload");
  });
});

describe("the reload [CA-37]", () => {
  it("is offered once, and never happens automatically [CA-37]", async () => {
    const reload = vi.spyOn(location, "reload").mockImplementation(() => {});
    await startPage(broken);
    expect(reload).not.toHaveBeenCalled();
    notice()?.querySelector("button")?.click();
    expect(reload).toHaveBeenCalledOnce();

    notice()?.remove();
    await startPage(broken);
    expect(notice()?.querySelector("button")).toBeNull();
    expect(notice()?.textContent).toBe("This page works in its simple form.");
  });

  it("is offered again after an island could be mounted", async () => {
    vi.spyOn(location, "reload").mockImplementation(() => {});
    await startPage(broken);
    notice()?.querySelector("button")?.click();
    notice()?.remove();
    await startPage(async () => island);
    await startPage(broken);
    expect(notice()?.querySelector("button")).not.toBeNull();
  });

  it("is offered where storage is disabled", async () => {
    vi.stubGlobal("sessionStorage", null);
    await startPage(broken);
    expect(notice()?.querySelector("button")).not.toBeNull();
    vi.unstubAllGlobals();
  });
});

it("gives up an island that can't start", async () => {
  start.mockRejectedValueOnce(new Error("its props are missing"));
  await startPage(async () => island);
  expect(region()?.dataset.islandFailed).toBe("");
});

it("reports no failure of a page that is left", async () => {
  let fail = (_error: Error) => {};
  await startPage(() => new Promise((_, reject) => (fail = reject)));
  window.dispatchEvent(new Event("pagehide"));
  fail(new TypeError("cancelled"));
  await vi.advanceTimersByTimeAsync(1);
  fail(new TypeError("cancelled"));
  await vi.advanceTimersByTimeAsync(1);
  expect(console.error).not.toHaveBeenCalled();
  expect([region()?.dataset.islandFailed, notice()]).toEqual([undefined, null]);
});
