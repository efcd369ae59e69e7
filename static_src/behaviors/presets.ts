// `data-presets` on the choice of a preset: choosing one checks its permissions in the same form, so that they are seen and
// can be changed before they are sent. Without this script the server fills in those that are left as they are.

type Settings = Readonly<Record<string, Readonly<Record<string, string>>>>;

export function showPresets(): void {
  const select = document.querySelector<HTMLSelectElement>("select[data-presets]");
  if (!select?.form) return;
  const presets = JSON.parse(select.dataset.presets ?? "{}") as Settings;
  const names = new Set(Object.values(presets).flatMap(Object.keys));
  const radios = [...select.form.querySelectorAll<HTMLInputElement>("input[type=radio]")];
  select.addEventListener("change", () => {
    for (const radio of radios)
      if (names.has(radio.name)) radio.checked = radio.value === (presets[select.value]?.[radio.name] ?? "");
  });
}
