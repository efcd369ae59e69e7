import { beforeEach, expect, test, vi } from "vitest";
import { suggestLocation } from "./suggest-location";

beforeEach(() => {
  const options = (...codes: string[]) => codes.map((code) => `<option value="${code}">${code}</option>`).join("");
  document.body.innerHTML = `<form><select name="country_code">${options("", "DE", "KR", "NZ")}</select>
    <select name="server_location" data-suggested='{"DE":"EU","KR":"KR"}'>${options("", "EU", "KR")}</select></form>`;
  suggestLocation();
});

test("a country suggests its server location, which is an input as well", () => {
  const onInput = vi.fn();
  document.addEventListener("input", onInput, { once: true });
  choose("country_code", "DE");
  expect(select("server_location").value).toBe("EU");
  expect(onInput.mock.calls[0]?.[0].target).toBe(select("server_location"));
  choose("country_code", "NZ");
  expect(select("server_location").value).toBe("");
});

test("a location that the user chose stays", () => {
  choose("server_location", "EU");
  choose("country_code", "KR");
  expect(select("server_location").value).toBe("EU");
});

function select(name: string): HTMLSelectElement {
  return document.querySelector(`[name=${name}]`) as HTMLSelectElement;
}

function choose(name: string, value: string): void {
  select(name).value = value;
  select(name).dispatchEvent(new Event("change"));
}
