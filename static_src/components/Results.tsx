// What a list shows below its search form. Renders the same as templates/components/list.html; a test compares the two.

import type { Chip, ListView } from "../types/props.gen";
import { EmptyState } from "./EmptyState";
import { Icon } from "./Icon";
import { Pager } from "./Pager";
import { Table } from "./Table";

export function Results({ list }: { list: ListView }) {
  const hasRows = list.rows.length > 0;
  return (
    <>
      {list.chips.length > 0 && <Chips chips={list.chips} />}
      {hasRows ? <Table list={list} /> : <EmptyState list={list} />}
      <div className="list-foot">
        <p className="list-status">{hasRows ? list.pager.range : list.empty.title}</p>
        {hasRows && <Pager pager={list.pager} />}
      </div>
    </>
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
