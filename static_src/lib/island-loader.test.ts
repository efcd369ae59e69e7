import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { CHUNK_LIMIT_MS, type Runtime, startIslands } from "./island-loader";
import type { Registry } from "./registry";

const island = { default: () => null };
const mount = vi.fn(async () => {});

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(console, "error").mockImplementation(() => {});
  mount.mockClear();
  sessionStorage.clear();
  document.body.innerHTML =
    '<script type="text/plain" data-failed="This page works in its simple form." data-reload="Reload"></script>' +
    '<script type="application/json" id="props-user-list">{"list":{"name":"users"}}</script>' +
    '<div data-island="user-list" data-props="props-user-list"><table><tr><td>Ada</td></tr></table></div>';
});

afterEach(() => {
  vi.useRealTimers();
});

function registryWith(load: () => Promise<unknown>): Registry {
  return { "user-list": load, "permission-toggles": load } as Registry;
}

function runtimeWith(rest: Partial<Runtime> = {}): Runtime {
  return { dom: async () => ({}) as never, mount: async () => ({ mount }) as never, libraries: [], ...rest };
}

function begin(load: () => Promise<unknown>, runtime = runtimeWith()) {
  return startIslands(document, registryWith(load), runtime);
}

const never = () => new Promise<never>(() => {});
const broken = () => Promise.reject(new TypeError("Failed to fetch dynamically imported module"));

function region() {
  return document.querySelector<HTMLElement>("[data-island]");
}

function notice() {
  return document.querySelector(".island-notice");
}

it("mounts an island with the props in the page", async () => {
  await begin(async () => island);
  expect(mount).toHaveBeenCalledWith(undefined, region(), island, { list: { name: "users" } });
  expect(notice()).toBeNull();
});

it("loads nothing on a page without islands", async () => {
  document.body.innerHTML = "<p>no island</p>";
  const load = vi.fn(async () => island);
  const runtime = runtimeWith({ dom: vi.fn(async () => ({}) as never) });
  await begin(load, runtime);
  expect(load).not.toHaveBeenCalled();
  expect(runtime.dom).not.toHaveBeenCalled();
});

it("loads only the islands of the page [RT-35]", async () => {
  const loads = { "user-list": vi.fn(async () => island), "permission-toggles": vi.fn(async () => island) };
  await startIslands(document, loads as never, runtimeWith());
  expect(loads["user-list"]).toHaveBeenCalledOnce();
  expect(loads["permission-toggles"]).not.toHaveBeenCalled();
});

describe("a chunk that does not load", () => {
  it("is waited for 120 seconds, and no longer [CA-36, CO-10]", async () => {
    expect(CHUNK_LIMIT_MS).toBe(120_000);
    void begin(never);
    await vi.advanceTimersByTimeAsync(119_999);
    expect(region()?.dataset.islandFailed).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    expect(region()?.dataset.islandFailed).toBe("");
  });

  it("is not mounted when it arrives after that [CA-36]", async () => {
    let arrive: (module: unknown) => void = () => {};
    void begin(
      () =>
        new Promise((resolve) => {
          arrive = resolve;
        }),
    );
    await vi.advanceTimersByTimeAsync(120_000);
    arrive(island);
    await vi.advanceTimersByTimeAsync(1);
    expect(mount).not.toHaveBeenCalled();
  });

  it("is requested once more", async () => {
    const load = vi.fn(async () => island as unknown).mockRejectedValueOnce(new TypeError("network"));
    await begin(load);
    expect(load).toHaveBeenCalledTimes(2);
    expect(mount).toHaveBeenCalledOnce();
  });

  it("leaves the server's rows and offers a reload [CA-37]", async () => {
    const load = vi.fn(broken);
    await begin(load);
    expect(load).toHaveBeenCalledTimes(2);
    expect(region()?.textContent).toBe("Ada");
    expect(notice()?.getAttribute("role")).toBe("status");
    expect(notice()?.textContent).toBe("This page works in its simple form.Reload");
  });

  it("is reported when it is part of the runtime, too", async () => {
    await begin(async () => island, runtimeWith({ dom: broken }));
    expect(region()?.dataset.islandFailed).toBe("");
  });
});

describe("the reload [CA-37]", () => {
  it("is offered once, and never happens automatically [CA-37]", async () => {
    const reload = vi.spyOn(location, "reload").mockImplementation(() => {});
    await begin(broken);
    expect(reload).not.toHaveBeenCalled();
    notice()?.querySelector("button")?.click();
    expect(reload).toHaveBeenCalledOnce();

    notice()?.remove();
    await begin(broken);
    expect(notice()?.querySelector("button")).toBeNull();
    expect(notice()?.textContent).toBe("This page works in its simple form.");
  });

  it("is offered again after an island could be mounted", async () => {
    vi.spyOn(location, "reload").mockImplementation(() => {});
    await begin(broken);
    notice()?.querySelector("button")?.click();
    notice()?.remove();
    await begin(async () => island);
    await begin(broken);
    expect(notice()?.querySelector("button")).not.toBeNull();
  });

  it("is offered where storage is disabled", async () => {
    vi.stubGlobal("sessionStorage", null);
    await begin(broken);
    expect(notice()?.querySelector("button")).not.toBeNull();
    vi.unstubAllGlobals();
  });
});

it("gives up an island whose props are missing", async () => {
  document.getElementById("props-user-list")?.remove();
  await begin(async () => island);
  expect(mount).not.toHaveBeenCalled();
  expect(region()?.dataset.islandFailed).toBe("");
});
