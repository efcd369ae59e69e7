// The search form of a list, which searches while typing. Renders the same as templates/components/list_search.html.

import { type ChangeEvent, type FormEvent, useEffect, useLayoutEffect, useRef, useState } from "react";
import { gettext } from "../lib/i18n";
import { addressOf, chosen, fill, textOf } from "../lib/search-form";
import type { FilterView, ListView, Option } from "../types/props.gen";
import { Icon } from "./Icon";

export const QUIET_MS = 300;

/** Why a keyword can't be searched for: `hint` while it is being typed, `error` after leaving the field. */
export interface Problem {
  readonly hint: string;
  readonly error: string;
}

export interface SearchProps {
  readonly list: ListView;
  /** True while the form is ahead of the list: then it keeps its own values. */
  readonly leads: boolean;
  readonly check: (searchField: string, keyword: string) => Problem | null;
  readonly onTouch: () => void;
  /** `typed`: the address replaces the previous one, so that Back does not step through single letters. */
  readonly onSearch: (url: string, typed: boolean) => void;
}

export function Search({ list, leads, check, onTouch, onSearch }: SearchProps) {
  const form = useRef<HTMLFormElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [revealed, setRevealed] = useState(true);

  useLayoutEffect(() => {
    if (leads || !form.current) return;
    clearTimeout(timer.current);
    fill(form.current, list);
    setProblem(null);
    setRevealed(true);
  }, [list, leads]);
  useEffect(() => () => clearTimeout(timer.current), []);

  /** Return whether the form's values can be searched for. */
  function touch(fields: HTMLFormElement, reveal: boolean): boolean {
    clearTimeout(timer.current);
    onTouch();
    const found = check(textOf(fields, "searchField"), textOf(fields, "keyword").trim());
    setProblem(found);
    setRevealed(reveal);
    return !found;
  }

  function onType(event: FormEvent<HTMLInputElement>) {
    const fields = event.currentTarget.form;
    if (!fields || !touch(fields, false)) return;
    timer.current = setTimeout(() => onSearch(addressOf(fields), true), QUIET_MS);
  }

  function onChoose(event: ChangeEvent<HTMLSelectElement>) {
    const fields = event.currentTarget.form;
    const isField = event.currentTarget.name === "searchField";
    if (!fields || !touch(fields, !isField) || (isField && !textOf(fields, "keyword"))) return;
    onSearch(addressOf(fields), false);
  }

  function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (touch(event.currentTarget, true)) onSearch(addressOf(event.currentTarget), false);
  }

  const error = revealed ? (problem?.error ?? list.search.error) : "";
  const hint = !revealed && problem ? problem.hint : "";
  const message = `list-${error ? "error" : "hint"}-${list.name}`;
  return (
    // biome-ignore lint/a11y/useSemanticElements: the template must support browsers without <search>
    <form className="list-search" role="search" method="get" action={list.path} ref={form} onSubmit={onSubmit}>
      {list.hidden.map(([name, value]) => (
        <input key={`${name}=${value}`} type="hidden" name={name} value={value} />
      ))}
      {list.search.fields.length > 1 && (
        <select
          className="select"
          name="searchField"
          aria-label={gettext("Search in")}
          defaultValue={chosen(list.search.fields)}
          onChange={onChoose}
        >
          <Options options={list.search.fields} />
        </select>
      )}
      <div className="search-box">
        <Icon name="search" />
        <input
          className="input"
          type="search"
          name="keyword"
          defaultValue={list.search.keyword}
          maxLength={100}
          autoComplete="off"
          aria-label={list.search.label}
          placeholder={list.search.label}
          data-search-key=""
          aria-invalid={error ? "true" : undefined}
          aria-describedby={error || hint ? message : undefined}
          onInput={onType}
          onBlur={() => setRevealed(true)}
        />
      </div>
      {list.filters.length > 0 && (
        <div className="filters">
          {list.filters.map((filter) => (
            <Filter key={filter.name} filter={filter} onChange={onChoose} />
          ))}
        </div>
      )}
      <button className="button" type="submit">
        {gettext("Search")}
      </button>
      <div className="search-told" role="status">
        {error && (
          <p className="field-error" id={message}>
            <Icon name="circle-alert" />
            {error}
          </p>
        )}
        {hint && (
          <p className="field-hint" id={message}>
            {hint}
          </p>
        )}
      </div>
    </form>
  );
}

function Filter({
  filter,
  onChange,
}: {
  filter: FilterView;
  onChange: (event: ChangeEvent<HTMLSelectElement>) => void;
}) {
  return (
    <label>
      <span>{filter.label}</span>
      <select className="select" name={filter.name} defaultValue={chosen(filter.options)} onChange={onChange}>
        <option value="">{filter.any_label}</option>
        <Options options={filter.options} />
      </select>
    </label>
  );
}

function Options({ options }: { options: Option[] }) {
  return options.map(({ value, label }) => (
    <option key={value} value={value}>
      {label}
    </option>
  ));
}
