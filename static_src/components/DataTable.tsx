// A whole list: search, chips, rows and pager. Renders the same as templates/components/list.html; a test compares the two.

import { type MouseEvent, useEffect, useRef } from "react";
import type { ListState } from "../lib/use-list";
import type { Chip } from "../types/props.gen";
import { EmptyState } from "./EmptyState";
import { Failed } from "./Failed";
import { Icon } from "./Icon";
import { Pager } from "./Pager";
import { type Problem, Search } from "./Search";
import { Table } from "./Table";

interface DataTableProps {
  readonly state: ListState;
  readonly check?: (searchField: string, keyword: string) => Problem | null;
}

export function DataTable({ state, check = () => null }: DataTableProps) {
  const { list, busy, failure, arrived } = state;
  const section = useRef<HTMLElement>(null);

  useEffect(() => {
    if (arrived.moves && section.current) showFromItsStart(section.current);
  }, [arrived]);

  function onClick(event: MouseEvent<HTMLElement>) {
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[href]") : null;
    if (!link || !isPlainClick(event) || !leadsTo(link, list.path)) return;
    event.preventDefault();
    state.follow(link.pathname + link.search, !link.closest("thead"));
  }

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: it speeds up links, which a keyboard "clicks" as well
    // biome-ignore lint/a11y/noStaticElementInteractions: the same
    <section
      className="list"
      aria-busy={busy || undefined}
      data-list={list.name}
      data-selection-query={list.selection_query}
      tabIndex={-1}
      ref={section}
      onClick={onClick}
    >
      <Search list={list} leads={state.formLeads} check={check} onTouch={state.touch} onSearch={state.search} />
      {list.chips.length > 0 && <Chips chips={list.chips} />}
      {failure && <Failed text={failure} onRetry={state.retry} />}
      {list.rows.length > 0 ? <Table list={list} /> : <EmptyState list={list} />}
      <div className="list-foot">
        <div role="status">
          <p className="list-status">{list.rows.length > 0 ? list.pager.range : list.empty.title}</p>
          {list.rows.length > 0 && <p className="visually-hidden">{list.sorting}</p>}
        </div>
        {list.rows.length > 0 && <Pager pager={list.pager} />}
      </div>
    </section>
  );
}

function Chips({ chips }: { chips: Chip[] }) {
  return (
    <ul className="chips">
      {chips.map((chip) => (
        <li key={chip.label}>
          <span>{chip.label}</span>
          <a href={chip.remove_href} aria-label={chip.remove_label}>
            <Icon name="x" />
          </a>
        </li>
      ))}
    </ul>
  );
}

/** The pressed element may be gone: focus the rows, or the search box if there are none. */
function showFromItsStart(section: HTMLElement): void {
  const target = section.querySelector<HTMLElement>(".table-wrap") ?? section.querySelector("input[type=search]");
  target?.focus({ preventScroll: true });
  // Shown as cards, the table has no box and can't get the focus.
  if (target !== document.activeElement) section.focus({ preventScroll: true });
  if (section.getBoundingClientRect().top < 0) section.scrollIntoView();
}

/** New tabs, windows and downloads are left to the browser. */
function isPlainClick(event: MouseEvent): boolean {
  const modified = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
  return event.button === 0 && !modified && !event.defaultPrevented;
}

function leadsTo(link: HTMLAnchorElement, path: string): boolean {
  return link.href.split("?")[0] === new URL(path, location.href).href;
}
