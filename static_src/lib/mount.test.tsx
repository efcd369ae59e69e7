import { useState } from "react";
import { createRoot } from "react-dom/client";
import { afterEach, describe, expect, it, vi } from "vitest";
import { mount } from "./mount";

afterEach(() => {
  document.body.innerHTML = "";
});

function region(markup: string): HTMLElement {
  document.body.innerHTML = `<div data-island="sample">${markup}</div>`;
  return document.querySelector("[data-island]") as HTMLElement;
}

const FORM =
  '<form><input type="search" name="keyword" value=""><select name="kind"><option value="">Any</option>' +
  '<option value="a">A</option></select><input type="checkbox" name="row" value="1">' +
  '<input type="checkbox" name="row" value="2"><a href="?page=2">2</a></form>';

function Sample() {
  const [kind, setKind] = useState("");
  const [heard, hear] = useState("");
  return (
    <form>
      <input type="search" name="keyword" defaultValue="" onInput={(event) => hear(event.currentTarget.value)} />
      <select name="kind" value={kind} onChange={(event) => setKind(event.currentTarget.value)}>
        <option value="">Any</option>
        <option value="a">A</option>
      </select>
      <input type="checkbox" name="row" value="1" />
      <input type="checkbox" name="row" value="2" />
      <a href="?page=2">2</a>
      <output>{heard}</output>
    </form>
  );
}

const sample = { default: Sample };

function Moody({ mood }: { mood: { broken: boolean } }) {
  if (mood.broken) throw new Error("broken");
  return <p>works</p>;
}

describe("input from before the island mounted is kept", () => {
  it("typed text, with the focus and the caret", async () => {
    const element = region(FORM);
    const before = element.querySelector("input") as HTMLInputElement;
    before.value = "anna";
    before.focus();
    before.setSelectionRange(1, 3);

    await mount(createRoot, element, sample, {});

    const after = element.querySelector("input") as HTMLInputElement;
    expect(after).not.toBe(before);
    expect(after.value).toBe("anna");
    expect(document.activeElement).toBe(after);
    expect([after.selectionStart, after.selectionEnd]).toEqual([1, 3]);
    await vi.waitFor(() => expect(element.querySelector("output")?.textContent).toBe("anna"));
  });

  it("a choice in a menu", async () => {
    const element = region(FORM);
    (element.querySelector("select") as HTMLSelectElement).value = "a";
    await mount(createRoot, element, sample, {});
    await vi.waitFor(() => expect(element.querySelector("select")?.value).toBe("a"));
  });

  it("ticked rows", async () => {
    const element = region(FORM);
    (element.querySelector('[value="2"]') as HTMLInputElement).checked = true;
    await mount(createRoot, element, sample, {});
    const ticks = [...element.querySelectorAll<HTMLInputElement>("[name=row]")].map((box) => box.checked);
    expect(ticks).toEqual([false, true]);
  });

  it("the focus on a link", async () => {
    const element = region(FORM);
    element.querySelector("a")?.focus();
    await mount(createRoot, element, sample, {});
    expect(document.activeElement).toBe(element.querySelector("a"));
  });

  it("untouched controls are left alone", async () => {
    const element = region(FORM);
    await mount(createRoot, element, sample, {});
    expect(element.querySelector("output")?.textContent).toBe("");
    expect(document.activeElement).toBe(document.body);
    expect(element.dataset.islandReady).toBe("");
  });
});

it("delays an island until nothing would be lost", async () => {
  const element = region(FORM);
  const keyword = element.querySelector("input") as HTMLInputElement;
  keyword.value = "not saved";
  const mounted = mount(createRoot, element, { ...sample, mayMount: () => keyword.value === "" }, {});
  await Promise.resolve();
  expect(element.contains(keyword)).toBe(true);

  keyword.value = "";
  keyword.dispatchEvent(new Event("change", { bubbles: true }));
  await mounted;
  expect(element.contains(keyword)).toBe(false);
});

it("shows in place that an island has failed, and tries again on request", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  const mood = { broken: true };
  const element = region("<p>server</p>");
  await mount(createRoot, element, { default: Moody }, { mood });
  expect(element.querySelector("[role=alert]")?.textContent).toContain("This part of the page stopped working.");

  mood.broken = false;
  element.querySelector("button")?.click();
  await vi.waitFor(() => expect(element.textContent).toBe("works"));
});
