import { act, cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { PageEvent } from "../../lib/events";
import type { Toast } from "../../lib/toasts";
import { type Call, done, fakeServer, refused } from "../../testing/server";
import type { PermissionTogglesProps, Toggle } from "../../types/props.gen";
import { mayMount, PermissionToggles } from "./index";

const NAMES = ["order_listed_labs", "export", "case_converting", "case_talk", "case_box_download"];
const LABELS = ["Order from listed labs", "Export", "Case converting", "Case talk sharing", "Case box download"];

let calls: Call[];
let toasts: Toast[];
const hear = (event: Event) => toasts.push((event as CustomEvent<Toast>).detail);

beforeEach(() => {
  calls = fakeServer();
  toasts = [];
  document.addEventListener(PageEvent.Toast, hear);
});

afterEach(() => {
  document.removeEventListener(PageEvent.Toast, hear);
  cleanup();
  vi.unstubAllGlobals();
});

function props(change: Record<string, Partial<Toggle>> = {}, version = 7): PermissionTogglesProps {
  const toggles = NAMES.map((name, index) => ({
    name,
    label: LABELS[index] ?? "",
    effect: `Effect of ${name}.`,
    value: true,
    inherited: false,
    can_inherit: false,
    inherit_label: "Clinic setting (off)",
    source: "",
    others: null,
    changed: null,
    ...change[name],
  }));
  return { url: "/clinic/c-1/permissions", legend: "Permissions", version, toggles, proof: "p" };
}

function open(start = props()) {
  return render(<PermissionToggles {...start} />);
}

function control(label: string) {
  return screen.getByRole<HTMLInputElement>("switch", { name: label });
}

function status(label: string) {
  return within(control(label).closest("[data-permission]") as HTMLElement).getByRole("status");
}

function description(label: string) {
  const ids = control(label).getAttribute("aria-describedby")?.split(" ") ?? [];
  return ids.map((id) => document.getElementById(id)?.textContent);
}

/** Tab comes to it later. */
function isAfter(control: HTMLElement, other: HTMLElement) {
  return Boolean(other.compareDocumentPosition(control) & Node.DOCUMENT_POSITION_FOLLOWING);
}

async function toggle(label: string) {
  fireEvent.click(control(label));
  await act(async () => {});
}

async function answer(call: Call | undefined, body: object, status?: number) {
  await act(async () => {
    call?.answer(body, status);
    await new Promise((settled) => setTimeout(settled));
  });
}

function sent(call: Call | undefined) {
  return Object.fromEntries(call?.body ?? []);
}

it.each(LABELS)("shows the switch %s with what it does [PM-12]", (label) => {
  open();
  const name = NAMES[LABELS.indexOf(label)];
  expect(control(label).checked).toBe(true);
  const described = control(label).getAttribute("aria-describedby") ?? "";
  expect(document.getElementById(described)?.textContent).toBe(`Effect of ${name}.`);
});

describe("turning a switch", () => {
  it("shows it at once and sends the form's own fields", async () => {
    open();
    await toggle("Export");
    expect(control("Export").checked).toBe(false);
    expect(calls[0]?.url).toBe("/clinic/c-1/permissions");
    expect(sent(calls[0])).toEqual({ export: "off", version: "7", proof: "p" });
  });

  it("says once that it was saved: in the page, and in no toast [CO-08]", async () => {
    open();
    await toggle("Export");
    await answer(calls[0], done(props({ export: { value: false } }, 8), "Saved. The user has to log in again."));
    expect(control("Export").checked).toBe(false);
    expect(status("Export").textContent).toBe("Saved. The user has to log in again. Undo");
    expect(status("Case converting").textContent).toBe("");
    expect(toasts).toEqual([]);
  });

  it("offers to undo it next to the switch [DM-40]", async () => {
    open();
    await toggle("Export");
    await answer(calls[0], done(props({ export: { value: false } }, 8), "Export is off."));
    expect(isAfter(screen.getByRole("button", { name: "Undo: Export" }), control("Export"))).toBe(true);
    fireEvent.click(screen.getByRole("button", { name: "Undo: Export" }));
    await act(async () => {});
    expect(sent(calls[1])).toEqual({ export: "on", version: "8", proof: "p" });
    await answer(calls[1], done(props({}, 9), "Export is on."));
    expect(control("Export").checked).toBe(true);
    expect(status("Export").textContent).toBe("Export is on. Undo");
  });

  it("takes it back when it is refused, and says why, aloud in a toast only, and in place [CO-08]", async () => {
    open();
    await toggle("Export");
    await answer(calls[0], refused("Failed to update the permissions."), 409);
    expect(control("Export").checked).toBe(true);
    expect(description("Export")).toEqual(["Effect of export.", "Failed to update the permissions."]);
    expect(description("Case converting")).toEqual(["Effect of case_converting."]);
    expect(screen.queryByRole("alert")).toBeNull();
    expect(toasts).toEqual([
      { tone: "danger", title: "Export", text: "Failed to update the permissions.", about: "export" },
    ]);
  });

  it("takes it back when no answer comes, and does not retry automatically [ST-51]", async () => {
    open();
    await toggle("Export");
    await act(async () => {
      calls[0]?.breakOff();
      await new Promise((settled) => setTimeout(settled));
    });
    expect(control("Export").checked).toBe(true);
    expect(description("Export")[1]).toContain("Can't reach the console.");
    expect(calls).toHaveLength(1);
  });

  it("takes what a refusal says is in force now", async () => {
    open();
    await toggle("Export");
    const now = props({ case_talk: { value: false } }, 9);
    await answer(calls[0], refused("Somebody else changed this.", { item: now }), 409);
    expect(control("Case talk sharing").checked).toBe(false);
    await toggle("Export");
    expect(sent(calls[1])).toEqual({ export: "off", version: "9", proof: "p" });
  });

  it("keeps the focus on the switch", async () => {
    open();
    control("Export").focus();
    await toggle("Export");
    await answer(calls[0], done(props({ export: { value: false } }, 8)));
    expect(document.activeElement).toBe(control("Export"));
  });
});

describe("turning several switches quickly", () => {
  it("sends one change after the other, each with the version of the answer before", async () => {
    open();
    await toggle("Export");
    await toggle("Case converting");
    expect(calls).toHaveLength(1);
    expect(control("Case converting").checked).toBe(false);

    await answer(calls[0], done(props({ export: { value: false } }, 8)));
    expect(sent(calls[1])).toEqual({ case_converting: "off", version: "8", proof: "p" });
    expect(control("Case converting").checked).toBe(false);
  });

  it("ends with the last position of a switch that was turned to and fro", async () => {
    open();
    await toggle("Export");
    await toggle("Export");
    expect(control("Export").checked).toBe(true);
    await answer(calls[0], done(props({ export: { value: false } }, 8)));
    expect(control("Export").checked).toBe(true);
    await answer(calls[1], done(props({}, 9)));
    expect(control("Export").checked).toBe(true);
    expect(calls.map((call) => sent(call).export)).toEqual(["off", "on"]);
  });

  it("goes on after a refusal", async () => {
    open();
    await toggle("Export");
    await toggle("Case converting");
    await answer(calls[0], refused("No."), 409);
    expect(sent(calls[1])).toEqual({ case_converting: "off", version: "7", proof: "p" });
    expect(control("Export").checked).toBe(true);
    expect(control("Case converting").checked).toBe(false);
  });
});

describe("a change that conflicts with an earlier one [LS-17]", () => {
  const meanwhile = "Somebody else changed this meanwhile. What is shown now is the newest state.";
  const now = props({ case_talk: { value: false } }, 9);

  it("is not made: the newest state is shown, and why", async () => {
    open();
    await toggle("Export");
    await answer(calls[0], refused(meanwhile, { item: now }), 412);
    expect(control("Export").checked).toBe(true);
    expect(control("Case talk sharing").checked).toBe(false);
    expect(description("Export")).toEqual(["Effect of export.", meanwhile]);
    expect(toasts).toEqual([{ tone: "danger", title: "Export", text: meanwhile, about: "export" }]);
    expect(calls).toHaveLength(1);
  });

  it("stops those that wait behind it, as they were chosen in view of an older state", async () => {
    open();
    await toggle("Export");
    await toggle("Case talk sharing");
    await answer(calls[0], refused(meanwhile, { item: now }), 412);
    expect(calls).toHaveLength(1);
    expect(control("Case talk sharing").checked).toBe(false);
    expect(toasts.map((toast) => toast.title)).toEqual(["Export", "Case talk sharing"]);
    expect(toasts[1]?.text).toBe(meanwhile);
  });

  it("can be made again in view of the newest state", async () => {
    open();
    await toggle("Export");
    await toggle("Case converting");
    await answer(calls[0], refused(meanwhile, { item: now }), 412);
    expect(control("Case converting").checked).toBe(true);
    await toggle("Case converting");
    expect(calls.slice(1).map(sent)).toEqual([{ case_converting: "off", version: "9", proof: "p" }]);
  });
});

it("says whom a clinic's switch reaches, and leads to those it does not [PM-12]", async () => {
  const others = { label: "3 users have their own setting", href: "/users?own_permission=export" };
  open(props({ export: { source: "On for 44 users.", others } }));
  expect(description("Export")[1]).toBe("On for 44 users. 3 users have their own setting");
  expect(screen.getByRole("link", { name: others.label }).getAttribute("href")).toBe(others.href);
  await toggle("Export");
  expect(screen.queryByRole("link")).toBeNull();
  await answer(calls[0], done(props({ export: { value: false, source: "Off for 44 users.", others } }, 8)));
  expect(description("Export")[1]).toBe("Off for 44 users. 3 users have their own setting");
});

it("shows who changed it last only in a line that was there before, so that nothing moves", async () => {
  const changed = { label: "Turned off by Kim on May 5, 2026", href: "/activity" };
  open(props({ case_talk: { changed } }));
  await toggle("Export");
  await answer(calls[0], done(props({ export: { value: false, changed }, case_talk: { changed } }, 8)));
  expect(screen.getAllByRole("link").map((link) => link.closest("[data-permission]")?.textContent)).toEqual([
    expect.stringContaining("Case talk sharing"),
  ]);
});

describe("a user's permissions", () => {
  const overridden = { export: { can_inherit: true, source: "Set for this user." } };
  const clinics = { export: { can_inherit: true, inherited: true, value: false, source: "From the clinic." } };

  beforeEach(() => vi.useFakeTimers());
  afterEach(() => {
    vi.useRealTimers();
  });

  const group = () => screen.getByRole("group", { name: "Export" });
  const radio = (name: string) => within(group()).getByRole<HTMLInputElement>("radio", { name });
  const checked = () => within(group()).getByRole<HTMLInputElement>("radio", { checked: true }).value;
  const passPause = () => act(async () => void (await vi.advanceTimersByTimeAsync(1500)));
  async function reply(call: Call | undefined, body: object, status?: number) {
    await act(async () => {
      call?.answer(body, status);
      await vi.advanceTimersByTimeAsync(0);
    });
  }

  it("follow the clinic, or are on or off for this user [PM-19]", () => {
    open(props(clinics));
    const names = within(group()).getAllByRole<HTMLInputElement>("radio");
    expect(names.map((one) => one.value)).toEqual(["inherit", "on", "off"]);
    expect(checked()).toBe("inherit");
    const described = group().getAttribute("aria-describedby")?.split(" ") ?? [];
    const texts = described.map((id) => document.getElementById(id)?.textContent);
    expect(texts).toEqual(["Effect of export.", "From the clinic."]);
  });

  it("can be put back to the clinic's by one choice [PM-19]", async () => {
    open(props(overridden));
    fireEvent.click(radio("Clinic setting (off)"));
    expect(checked()).toBe("inherit");
    await passPause();
    expect(sent(calls[0])).toEqual({ export: "inherit", version: "7", proof: "p" });
    await reply(calls[0], done(props(clinics, 8)));
    expect(checked()).toBe("inherit");
    expect(isAfter(screen.getByRole("button", { name: "Undo: Export" }), radio("Off"))).toBe(true);
  });

  it("leave the clinic only for what was chosen in the end [PM-19]", async () => {
    open(props(clinics));
    fireEvent.click(radio("On"));
    await act(async () => void (await vi.advanceTimersByTimeAsync(1400)));
    fireEvent.click(radio("Off"));
    await passPause();
    expect(calls.map((call) => sent(call).export)).toEqual(["off"]);
  });

  it("stay as they are when the choice comes back to where it was [PM-19]", async () => {
    open(props(clinics));
    fireEvent.click(radio("On"));
    fireEvent.click(radio("Clinic setting (off)"));
    await passPause();
    expect(calls).toEqual([]);
  });

  it("are sent at once when a pointer chooses them", async () => {
    open(props(clinics));
    fireEvent.pointerDown(radio("On"));
    fireEvent.click(radio("On"));
    await act(async () => void (await vi.advanceTimersByTimeAsync(0)));
    expect(calls.map((call) => sent(call).export)).toEqual(["on"]);
    expect(checked()).toBe("on");
    fireEvent.keyDown(radio("On"), { key: "ArrowRight" });
    fireEvent.click(radio("Off"));
    await reply(calls[0], done(props(overridden, 8)));
    expect(calls).toHaveLength(1);
    await passPause();
    expect(sent(calls[1])).toEqual({ export: "off", version: "8", proof: "p" });
  });

  it("are sent when the page is left before they have settled", async () => {
    open(props(clinics));
    fireEvent.click(radio("On"));
    fireEvent(window, new Event("pagehide"));
    await act(async () => void (await vi.advanceTimersByTimeAsync(0)));
    expect(calls.map((call) => sent(call).export)).toEqual(["on"]);
    await passPause();
    expect(calls).toHaveLength(1);
  });

  it("are asked for when one is left that waits for the answer of another", async () => {
    open(props({ export: { can_inherit: false }, case_talk: { can_inherit: false } }));
    const leaves = () => fireEvent(window, new Event("beforeunload", { cancelable: true }));
    fireEvent.click(control("Export"));
    await act(async () => void (await vi.advanceTimersByTimeAsync(0)));
    expect(leaves()).toBe(true);
    fireEvent.click(control("Case talk sharing"));
    expect(leaves()).toBe(false);
    await reply(calls[0], done(props({}, 8)));
    expect(leaves()).toBe(true);
  });

  it("are asked for when one is left that has not settled while another is being saved", async () => {
    open(props({ ...clinics, case_talk: { can_inherit: false } }));
    fireEvent.click(control("Case talk sharing"));
    await act(async () => void (await vi.advanceTimersByTimeAsync(0)));
    fireEvent.click(radio("On"));
    expect(fireEvent(window, new Event("beforeunload", { cancelable: true }))).toBe(false);
    await reply(calls[0], done(props(clinics, 8)));
    expect(calls.map((call) => sent(call).export)).toEqual([undefined, "on"]);
  });

  it("are sent at once when the focus leaves", async () => {
    open(props(clinics));
    fireEvent.click(radio("On"));
    fireEvent.blur(radio("On"), { relatedTarget: radio("Off") });
    expect(calls).toEqual([]);
    fireEvent.blur(radio("On"), { relatedTarget: document.body });
    await act(async () => void (await vi.advanceTimersByTimeAsync(0)));
    expect(calls.map((call) => sent(call).export)).toEqual(["on"]);
  });

  it("are taken back when they are refused, and say why in place [CO-08]", async () => {
    open(props(clinics));
    fireEvent.click(radio("On"));
    await passPause();
    await reply(calls[0], refused("Failed to update the permissions."), 409);
    expect(checked()).toBe("inherit");
    const described = group().getAttribute("aria-describedby")?.split(" ") ?? [];
    expect(document.getElementById(described.at(-1) ?? "")?.textContent).toBe("Failed to update the permissions.");
  });
});

describe("the server's form", () => {
  function form() {
    const region = document.createElement("div");
    region.innerHTML =
      '<form><input type="hidden" name="version" value="7"><input type="radio" name="export" value="on" checked>' +
      '<input type="radio" name="export" value="off"></form>';
    return region;
  }

  it("gives way to the switches while it holds nothing new", () => {
    expect(mayMount(form())).toBe(true);
  });

  it("stays while something is chosen and not saved", () => {
    const region = form();
    (region.querySelector('[value="off"]') as HTMLInputElement).checked = true;
    expect(mayMount(region)).toBe(false);
  });
});
