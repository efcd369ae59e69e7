// The search form of a list: its values, and the address that they lead to.

import type { ListView, Option } from "../types/props.gen";

/** If several values are selected, browsers show the last one. */
export function chosen(options: Option[]): string {
  return options.findLast((option) => option.selected)?.value ?? "";
}

export function fill(form: HTMLFormElement, { search, filters }: ListView): void {
  put(form, "keyword", search.keyword);
  put(form, "searchField", chosen(search.fields));
  for (const filter of filters) put(form, filter.name, chosen(filter.options));
}

function put(form: HTMLFormElement, name: string, value: string): void {
  const field = fieldOf(form, name);
  if (field && field.value !== value) field.value = value;
}

export function textOf(form: HTMLFormElement, name: string): string {
  return fieldOf(form, name)?.value ?? "";
}

function fieldOf(form: HTMLFormElement, name: string): HTMLInputElement | HTMLSelectElement | null {
  // Not by `namedItem`: other values of a filter are hidden fields with the same name.
  return form.querySelector(`:is(select, input:not([type="hidden"]))[name="${name}"]`);
}

/** Where the browser itself would go on submit, without empty parameters. */
export function addressOf(form: HTMLFormElement): string {
  const pairs = [...new FormData(form)].flatMap(([name, value]) => (value ? [[name, String(value)]] : []));
  const query = new URLSearchParams(pairs).toString();
  const path = form.getAttribute("action") ?? "";
  return query ? `${path}?${query}` : path;
}
