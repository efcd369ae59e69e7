import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { reloadFromHistory } from "./history";
import { goBack, reloadAfter } from "./waiting";

const reload = vi.fn();

beforeEach(() => {
  reload.mockReset();
  vi.spyOn(location, "reload").mockImplementation(reload);
  vi.useFakeTimers();
  document.documentElement.removeAttribute("data-private");
});

afterEach(() => {
  vi.clearAllTimers();
  vi.useRealTimers();
});

test.each(["/login", ""])(
  "a private page (login at %o) is not seen again until it is loaded again [RT-36]",
  (login) => {
    const { style } = document.documentElement;
    document.documentElement.setAttribute("data-private", login);
    reloadFromHistory();
    window.dispatchEvent(pageShow(false));
    expect([reload.mock.calls.length, style.visibility]).toEqual([0, ""]);
    window.dispatchEvent(new Event("pagehide"));
    expect(style.visibility).toBe("hidden");
    window.dispatchEvent(pageShow(true));
    expect(reload).toHaveBeenCalled();
    style.visibility = "";
  },
);

test("a public page comes back from the history cache as it was", () => {
  const listen = vi.spyOn(window, "addEventListener");
  reloadFromHistory();
  expect(listen).not.toHaveBeenCalled();
});

test("the maintenance page reloads after its interval, unless it is hidden [ER-07]", () => {
  document.body.innerHTML = '<div data-reload-after="60"></div>';
  const hidden = vi.spyOn(document, "hidden", "get").mockReturnValue(true);
  reloadAfter();
  vi.advanceTimersByTime(61_000);
  expect(reload).not.toHaveBeenCalled();
  hidden.mockReturnValue(false);
  vi.advanceTimersByTime(60_000);
  expect(reload).toHaveBeenCalledOnce();
});

test("back goes to the previous page only if it was one of ours", () => {
  document.body.innerHTML = '<a data-back href="#top">Try again</a>';
  const back = vi.spyOn(history, "back").mockImplementation(() => {});
  const referrer = vi.spyOn(document, "referrer", "get").mockReturnValue("https://elsewhere.example/");
  goBack();
  expect(click().defaultPrevented).toBe(false);
  referrer.mockReturnValue(`${location.origin}/user-manage`);
  expect(click().defaultPrevented).toBe(true);
  expect(back).toHaveBeenCalledOnce();
});

function pageShow(persisted: boolean): Event {
  return Object.assign(new Event("pageshow"), { persisted });
}

function click(): MouseEvent {
  const event = new MouseEvent("click", { bubbles: true, cancelable: true });
  document.querySelector("a")?.dispatchEvent(event);
  return event;
}
