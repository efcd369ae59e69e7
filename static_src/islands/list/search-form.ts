// The search form of a list, which the server wrote: its values, and the address that they lead to.

import { isChanged } from "../../lib/fields";
import type { FilterView, ListView, Option } from "../../types/props.gen";
import { element } from "./dom";

export type Pairs = readonly (readonly [string, string])[];

const HIDDEN = 'input[type="hidden"]';

/** If several values are selected, browsers show the last one. */
function chosen(options: Option[]): string {
  return options.findLast((option) => option.selected)?.value ?? "";
}

/** Show the search and the filters of a list. */
export function fill(form: HTMLFormElement, { search, filters }: ListView): void {
  put(form, "keyword", search.keyword);
  put(form, "searchField", chosen(search.fields));
  for (const filter of filters) put(form, filter.name, chosen(filter.options));
}

function put(form: HTMLFormElement, name: string, value: string): void {
  const field = fieldOf(form, name);
  if (field && field.value !== value) field.value = value;
}

/** Let the form offer what another address of the list offers: a team, or a whole filter, that was not known here. */
export function offer(form: HTMLFormElement, { filters }: ListView): void {
  let before: Element | null = null;
  for (const filter of filters) {
    const { name, options } = filter;
    const select: HTMLElement | null = fieldOf(form, name) ?? addFilter(form, filter, before);
    if (!(select instanceof HTMLSelectElement)) continue;
    before = select.closest("label");
    const known = new Set([...select.options].map((option) => option.value));
    for (const { value, label } of options) {
      if (!known.has(value))
        select.append(Object.assign(document.createElement("option"), { value, textContent: label }));
    }
  }
}

/** Add a filter after the one before it; to a form that has no filters at all none can be added. */
function addFilter(
  form: HTMLFormElement,
  { name, label, any_label }: FilterView,
  before: Element | null,
): HTMLElement | null {
  const place = form.querySelector(".filters");
  if (!place) return null;
  const select = element("select", { class: "select", name });
  select.append(Object.assign(element("option", { value: "" }), { textContent: any_label }));
  const added = element("label");
  added.append(Object.assign(element("span"), { textContent: label }), select);
  if (before) before.after(added);
  else place.prepend(added);
  return select;
}

/** What the form sends without showing it: other values of a filter, the sorting, the page size. */
export function carriedBy(form: HTMLFormElement): Pairs {
  return [...form.querySelectorAll<HTMLInputElement>(HIDDEN)].map(({ name, value }) => [name, value]);
}

export function carry(form: HTMLFormElement, pairs: Pairs): void {
  for (const field of form.querySelectorAll(HIDDEN)) field.remove();
  form.prepend(
    ...pairs.map(([name, value]) => Object.assign(document.createElement("input"), { type: "hidden", name, value })),
  );
}

/** The pairs that a list's form carries; a filter for which this form has no field is one of them. */
export function carriedOf(form: HTMLFormElement, { hidden, filters }: ListView): Pairs {
  const unshown = filters.filter(({ name, options }) => !fieldOf(form, name) && chosen(options));
  return [...hidden, ...unshown.map(({ name, options }) => [name, chosen(options)] as const)];
}

export function textOf(form: HTMLFormElement, name: string): string {
  return fieldOf(form, name)?.value ?? "";
}

function fieldOf(form: HTMLFormElement, name: string): HTMLInputElement | HTMLSelectElement | null {
  // Not by `namedItem`: other values of a filter are hidden fields with the same name.
  return form.querySelector(`:is(select, input:not([type="hidden"]))[name="${name}"]`);
}

/** Whether the form asks for what the server answered: a field to search in says nothing without a keyword. */
export function isAsWritten(form: HTMLFormElement): boolean {
  return [...form.querySelectorAll<HTMLInputElement | HTMLSelectElement>("input, select")].every(
    (field) => !isChanged(field) || (field.name === "searchField" && !textOf(form, "keyword")),
  );
}

/** Where the browser itself would go on submit, without empty parameters. */
export function addressOf(form: HTMLFormElement): string {
  const pairs = [...new FormData(form)].flatMap(([name, value]) => (value ? [[name, String(value)]] : []));
  const query = new URLSearchParams(pairs).toString();
  const path = form.getAttribute("action") ?? "";
  return query ? `${path}?${query}` : path;
}
