import { expect, test } from "vitest";
import { showPresets } from "./presets";

function radios(name: string) {
  return ["", "on", "off"].map((value) => `<input type="radio" name="${name}" value="${value}">`).join("");
}

test("choosing a preset checks its permissions, and no preset none of them [DM-49]", () => {
  const presets = JSON.stringify({ "7": { export: "on", download: "off" } });
  document.body.innerHTML = `<form>
    <select data-presets='${presets}'><option value="">No preset</option><option value="7">Desk</option></select>
    ${radios("export")}${radios("download")}</form>`;
  showPresets();
  const form = document.querySelector("form") as HTMLFormElement;
  const select = form.querySelector("select") as HTMLSelectElement;
  const chosen = () => {
    const data = new FormData(form);
    return [data.get("export"), data.get("download")];
  };
  select.value = "7";
  select.dispatchEvent(new Event("change"));
  expect(chosen()).toEqual(["on", "off"]);
  select.value = "";
  select.dispatchEvent(new Event("change"));
  expect(chosen()).toEqual(["", ""]);
});
