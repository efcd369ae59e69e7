import { beforeEach, expect, test, vi } from "vitest";

const openSearch = vi.fn();
vi.mock("./search-dialog", () => ({ openSearch }));

const APPLE = "metaKey";
const OTHER = "ctrlKey";

beforeEach(() => {
  openSearch.mockClear();
  document.body.innerHTML = `<form action="/search"><button data-search="/search.css"></button></form><textarea></textarea>`;
});

async function start(key: string): Promise<AbortController> {
  const button = document.querySelector("button") as HTMLButtonElement;
  button.dataset.key = key;
  const stop = new AbortController();
  const listen = document.addEventListener.bind(document);
  vi.spyOn(document, "addEventListener").mockImplementation((type: string, listener: unknown) =>
    listen(type, listener as EventListener, { signal: stop.signal }),
  );
  const { openSearchByKey } = await import("./search-opener");
  openSearchByKey();
  return stop;
}

function press(keys: KeyboardEventInit): KeyboardEvent {
  const event = new KeyboardEvent("keydown", { bubbles: true, cancelable: true, ...keys });
  document.querySelector("textarea")?.dispatchEvent(event);
  return event;
}

test.each([
  [OTHER, { key: "k", ctrlKey: true }],
  [OTHER, { key: "K", ctrlKey: true }], // with Caps Lock
  [OTHER, { key: "л", code: "KeyK", ctrlKey: true }],
  [APPLE, { key: "k", metaKey: true }],
])("with %s it opens by %o, in a field, too [DM-46]", async (platform, keys) => {
  const stop = await start(platform);
  expect(press(keys).defaultPrevented).toBe(true);
  await vi.waitFor(() => expect(openSearch).toHaveBeenCalledTimes(1));
  stop.abort();
});

test.each([
  [OTHER, { key: "k" }],
  [OTHER, { key: "k", metaKey: true }],
  [OTHER, { key: "k", ctrlKey: true, altKey: true }],
  [OTHER, { key: "k", ctrlKey: true, shiftKey: true }],
  [OTHER, { key: "t", code: "KeyK", ctrlKey: true }], // Dvorak
  [APPLE, { key: "k", ctrlKey: true }], // deletes to the end of the line
])("with %s, %o is not its key", async (platform, keys) => {
  const stop = await start(platform);
  expect(press(keys).defaultPrevented).toBe(false);
  expect(openSearch).not.toHaveBeenCalled();
  stop.abort();
});

test("the button opens it in place of its page [DM-46]", async () => {
  const stop = await start(OTHER);
  const press = new MouseEvent("click", { bubbles: true, cancelable: true });
  document.querySelector("button")?.dispatchEvent(press);
  expect(press.defaultPrevented).toBe(true);
  await vi.waitFor(() => expect(openSearch).toHaveBeenCalledTimes(1));
  stop.abort();
});

test("its page opens where the dialog can't be loaded [DM-46]", async () => {
  const stop = await start(OTHER);
  openSearch.mockRejectedValueOnce(new Error("offline"));
  const assign = vi.spyOn(location, "assign").mockImplementation(() => {});
  press({ key: "k", ctrlKey: true });
  await vi.waitFor(() => expect(assign).toHaveBeenCalledWith("/search"));
  stop.abort();
});
