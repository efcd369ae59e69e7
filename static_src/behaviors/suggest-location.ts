// `data-suggested` on a select of server locations: codes of countries with the location of each. Choosing a country
// chooses its location, unless another one was chosen.

export function suggestLocation(): void {
  const location = document.querySelector<HTMLSelectElement>("select[data-suggested]");
  const country = location?.form?.querySelector<HTMLSelectElement>("[name=country_code]");
  if (!location || !country) return;
  const suggested = JSON.parse(location.dataset.suggested ?? "{}") as Record<string, string>;
  let isUserChoice = location.value !== "" && location.value !== suggested[country.value];
  location.addEventListener("change", () => {
    isUserChoice = location.value !== "";
  });
  country.addEventListener("change", () => {
    if (isUserChoice) return;
    location.value = suggested[country.value] ?? "";
    location.dispatchEvent(new Event("input", { bubbles: true })); // its error goes (clear-errors.ts)
  });
}
