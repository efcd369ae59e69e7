import { afterEach, expect, it, vi } from "vitest";
import { mount } from "./mount";

afterEach(() => {
  document.body.innerHTML = "";
});

function region(markup: string): HTMLElement {
  document.body.innerHTML =
    '<script type="application/json" id="props-sample">{"legend":"From the server"}</script>' +
    `<div data-island="sample" data-props="props-sample">${markup}</div>`;
  return document.querySelector("[data-island]") as HTMLElement;
}

const RADIOS = '<input type="radio" name="export" value="on" checked><input type="radio" name="export" value="off">';
const always = () => true;

function Sample({ legend }: { legend: string }) {
  return (
    <>
      <p>{legend}</p>
      <input type="checkbox" name="export" />
    </>
  );
}

let isBroken = false;

function Moody() {
  if (isBroken) throw new Error("broken");
  return <p>works</p>;
}

it("draws the component with the props in the page", async () => {
  const element = region(RADIOS);
  await mount(element, Sample, always);
  expect(element.textContent).toBe("From the server");
  expect(document.activeElement).toBe(document.body);
});

it("moves the focus to what has the name of the control that had it", async () => {
  const element = region(RADIOS);
  element.querySelector("input")?.focus();
  await mount(element, Sample, always);
  expect(document.activeElement).toBe(element.querySelector("[type=checkbox]"));
});

it("waits until nothing would be lost", async () => {
  const element = region(RADIOS);
  const off = element.querySelector('[value="off"]') as HTMLInputElement;
  off.checked = true;
  const mounted = mount(element, Sample, () => !off.checked);
  await new Promise((resolve) => setTimeout(resolve));
  expect(element.contains(off)).toBe(true);

  off.checked = false;
  off.dispatchEvent(new Event("change", { bubbles: true }));
  await mounted;
  expect(element.contains(off)).toBe(false);
});

it("shows in place that an island has failed, and tries again on request", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  isBroken = true;
  const element = region("<p>server</p>");
  await mount(element, Moody, always);
  expect(element.querySelector("[role=alert]")?.textContent).toContain("This part of the page stopped working.");

  isBroken = false;
  element.querySelector("button")?.click();
  await vi.waitFor(() => expect(element.textContent).toBe("works"));
});
