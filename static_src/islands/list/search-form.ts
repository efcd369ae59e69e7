// The search form of a list, which the server wrote: its values, and the address that they lead to.

import { isChanged } from "../../lib/fields";
import type { FilterView, ListView, Option } from "../../types/props.gen";
import { element, find } from "./dom";
import { FINDER } from "./find-choice";

export type Pairs = readonly (readonly [string, string])[];

const HIDDEN = 'input[type="hidden"]';

function chosen(options: Option[]): string {
  return options.find((option) => option.selected)?.value ?? "";
}

/** Show what a list offers and counts, and what it carries; with `fills` also what it was asked. Null is the server's own list. */
export function showInForm(form: HTMLFormElement, list: ListView | null, firstHidden: Pairs, fills: boolean): void {
  offer(form, list);
  showCounts(form, list);
  // Also where the head of the page says it: another tab may have made another choice.
  for (const choice of list?.column_form?.choices ?? []) {
    const box = document.querySelector<HTMLInputElement>(
      `#columns-${list?.name} [value="${choice.name}"][type=checkbox]`,
    );
    if (box) box.checked = choice.is_shown;
  }
  replaceHiddenFields(form, list ? makeHiddenFields(form, list) : firstHidden);
  if (!fills) return;
  if (list) fill(form, list);
  else form.reset();
}

/** What the form of columns says, without the query that the page came with: the list has its own address. */
export function columnChoice(form: HTMLFormElement): string {
  const fields = new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)]));
  fields.delete("list_query");
  return fields.toString();
}

/** Show the search and the filters of a list. */
function fill(form: HTMLFormElement, { search, filters, sorts }: ListView): void {
  put(form, "keyword", search.keyword);
  put(form, "searchField", chosen(search.fields));
  if (sorts) put(form, "sort", chosen(sorts));
  for (const { name, options, is_single } of filters) {
    if (is_single) put(form, name, chosen(options));
    else
      for (const box of getCheckboxes(form, name))
        box.checked = options.some((o) => o.selected && o.value === box.value);
  }
}

function put(form: HTMLFormElement, name: string, value: string): void {
  const field = getField(form, name);
  if (field && field.value !== value) field.value = value;
}

/** Let the form offer what the shown address of the list offers, and nothing else; for null that is what was written. */
function offer(form: HTMLFormElement, list: ListView | null): void {
  if (list) add(form, list);
  const filters = new Map(list?.filters.map((filter) => [filter.name, filter]));
  for (const fieldset of form.querySelectorAll<HTMLFieldSetElement>("fieldset[data-filter]")) {
    const filter = filters.get(fieldset.dataset.filter ?? "");
    fieldset.hidden = list ? !filter : isAdded(fieldset);
    fieldset.disabled = fieldset.hidden; // so that it is not sent
    if (fieldset.querySelector(FINDER)) continue; // the answer has only its chosen options
    for (const choice of fieldset.querySelectorAll("label")) {
      const box = find<HTMLInputElement>(choice, "input");
      choice.hidden = list ? !filter?.options.some(({ value }) => value === box.value) : isAdded(choice);
      if (choice.hidden) box.checked = false;
    }
  }
}

function isAdded({ dataset }: HTMLElement): boolean {
  return dataset.added !== undefined;
}

/** Add what was not known here: a team, or a whole filter. */
function add(form: HTMLFormElement, { filters }: ListView): void {
  let before: Element | null = form.querySelector(".filters-head");
  for (const filter of filters) {
    const field = findFilter(form, filter) ?? addFilter(filter, before);
    if (!field) continue; // a form without any filters
    before = field;
    if (filter.is_day) continue;
    const select = field.querySelector("select");
    const known = new Set(select ? [...select.options].map((option) => option.value) : getValues(form, filter.name));
    for (const option of filter.options) {
      if (!known.has(option.value)) (select ?? find(field, "div")).append(getChoice(filter, option));
    }
  }
}

function findFilter(form: HTMLFormElement, { name }: FilterView): Element | null {
  return form.querySelector(`[data-filter="${name}"]`);
}

function addFilter({ name, label, any_label, is_single }: FilterView, before: Element | null): Element | null {
  const added = element(is_single ? "label" : "fieldset", { "data-filter": name, "data-added": "" });
  added.append(Object.assign(element(is_single ? "span" : "legend"), { textContent: label }));
  if (is_single) {
    const select = element("select", { class: "select", name });
    select.append(Object.assign(element("option", { value: "" }), { textContent: any_label }));
    added.append(select);
  } else added.append(element("div"));
  before?.after(added);
  return before && added;
}

function getChoice({ name, is_single, has_names }: FilterView, { value, label, count }: Option): HTMLElement {
  const translate = has_names ? { translate: "no" } : {};
  if (is_single) return Object.assign(element("option", { value, ...translate }), { textContent: label });
  const choice = element("label", { class: "check", "data-added": "" });
  const text = Object.assign(element("span", translate), { textContent: label });
  if (count !== undefined) text.append(" ", element("small"));
  choice.append(element("input", { type: "checkbox", name, value }), text);
  return choice;
}

/** How many rows each choice would leave at the shown address, where the server counts them; for null as it was written. */
function showCounts(form: HTMLFormElement, list: ListView | null): void {
  const now = new Map(list?.filters.flatMap((f) => f.options.map((o) => [`${f.name} ${o.value}`, o.count] as const)));
  for (const box of form.querySelectorAll<HTMLInputElement>('input[type="checkbox"]')) {
    const count = box.nextElementSibling?.querySelector("small");
    if (!count) continue;
    count.dataset.first ??= count.textContent ?? "";
    count.textContent = list ? (now.get(`${box.name} ${box.value}`) ?? "") : count.dataset.first;
  }
}

/** What the form sends without showing it: other values of a filter, the sorting, the page size. */
export function getHiddenFields(form: HTMLFormElement): Pairs {
  return [...form.querySelectorAll<HTMLInputElement>(HIDDEN)].map(({ name, value }) => [name, value]);
}

function replaceHiddenFields(form: HTMLFormElement, pairs: Pairs): void {
  for (const field of form.querySelectorAll(HIDDEN)) field.remove();
  form.prepend(
    ...pairs.map(([name, value]) => Object.assign(document.createElement("input"), { type: "hidden", name, value })),
  );
}

/** The pairs that a list's form carries; a filter for which this form has no field is among them. */
function makeHiddenFields(form: HTMLFormElement, { hidden, filters }: ListView): Pairs {
  const unshown = filters.filter((filter) => !findFilter(form, filter));
  const chosen = unshown.flatMap(({ name, options }) => options.map((option) => ({ name, ...option })));
  return [...hidden, ...chosen.flatMap(({ name, value, selected }) => (selected ? [[name, value] as const] : []))];
}

function getText(form: HTMLFormElement, name: string): string {
  return getField(form, name)?.value ?? "";
}

function getField(form: HTMLFormElement, name: string): HTMLInputElement | HTMLSelectElement | null {
  return form.querySelector(`:is(select, input)[name="${name}"]`);
}

function getCheckboxes(form: HTMLFormElement, name: string): HTMLInputElement[] {
  return [...form.querySelectorAll<HTMLInputElement>(`input[type="checkbox"][name="${name}"]`)];
}

function getValues(form: HTMLFormElement, name: string): string[] {
  return getCheckboxes(form, name).map((box) => box.value);
}

/** Whether the form asks for what the server answered: a field to search in says nothing without a keyword. */
export function isUnchanged(form: HTMLFormElement): boolean {
  return [...form.querySelectorAll<HTMLInputElement | HTMLSelectElement>("[name]:is(input, select)")].every(
    (field) => !isChanged(field) || (field.name === "searchField" && !getText(form, "keyword")),
  );
}

/** Where the browser itself would go on submit, without what says nothing: empty values, and all fields to search in. */
export function getAddress(form: HTMLFormElement): string {
  const all = form.querySelector<HTMLOptionElement>('[name="searchField"] > :first-child')?.value;
  const isMeaningful = ([name, value]: [string, unknown]) => value && !(name === "searchField" && value === all);
  const pairs = [...new FormData(form)].filter(isMeaningful).map(([name, value]) => [name, String(value)]);
  // That the whole list is meant says nothing where something is asked.
  const filtering = pairs.filter(([name]) => name !== "view");
  const query = new URLSearchParams(filtering.length > 0 ? filtering : pairs).toString();
  const path = form.getAttribute("action") ?? "";
  return query ? `${path}?${query}` : path;
}
