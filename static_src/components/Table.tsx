// The rows of a list. Renders the same as templates/components/table.html.

import { gettext } from "../lib/i18n";
import { initial } from "../lib/initial";
import type { Cell, ColumnView, ListView, Row } from "../types/props.gen";
import { Badge } from "./Badge";
import { Icon } from "./Icon";
import { Marked } from "./Marked";

export function Table({ list }: { list: ListView }) {
  const caption = `list-caption-${list.name}`;
  return (
    // biome-ignore lint/a11y/useSemanticElements: the same element as in the template
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled with the keyboard
    <div className="table-wrap" role="region" tabIndex={0} aria-labelledby={caption}>
      {/* biome-ignore lint/a11y/noRedundantRoles: shown as cards on a narrow page, it would lose its role */}
      <table className="table" role="table">
        <caption className="visually-hidden" id={caption}>
          {list.caption}
        </caption>
        <thead>
          <tr>
            {list.selection && (
              <th className="row-select" scope="col">
                {/* Shown and checked by the script of the page (behaviors/selection.ts). */}
                <span className="visually-hidden">
                  {
                    /* Translators: read aloud: the head of the column of boxes to check; verb. */
                    gettext("Select")
                  }
                </span>
                {list.sorts ? (
                  <label className="check" hidden>
                    <input type="checkbox" data-select="page" />
                    {gettext("Select all on this page")}
                  </label>
                ) : (
                  <input type="checkbox" data-select="page" hidden aria-label={gettext("Select all on this page")} />
                )}
              </th>
            )}
            {list.columns.map((column, index) => (
              <Head key={column.name} column={column} second={index === 0 ? list.second_line : undefined} />
            ))}
            <th className="row-actions" scope="col">
              <span className="visually-hidden">{gettext("Actions")}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {list.rows.map((row, index) => {
            const id = row.id || `.${index + 1}`;
            return <TableRow key={id} id={id} row={row} list={list} />;
          })}
        </tbody>
      </table>
    </div>
  );
}

const NONE = "–";
const SORT_ICONS = { ascending: "arrow-up", descending: "arrow-down", "": "chevrons-up-down" };

/** `second`: the column whose values are the second lines of this one. */
function Head({ column, second }: { column: ColumnView; second?: ColumnView | undefined }) {
  return (
    <th
      scope="col"
      data-kind={column.kind === "number" ? "number" : undefined}
      title={column.title}
      aria-sort={column.sorted || second?.sorted || undefined}
    >
      <HeadText column={column} />
      {second && (
        <>
          {" · "}
          <HeadText column={second} />
        </>
      )}
    </th>
  );
}

function HeadText({ column }: { column: ColumnView }) {
  if (!column.sort_href) return column.label;
  return (
    <a href={column.sort_href}>
      {column.label}
      <Icon name={SORT_ICONS[column.sorted]} />
    </a>
  );
}

/** `id` is that of the row, or its place in the list: then it has none that it could be selected by. */
function TableRow({ id, row, list }: { id: string; row: Row; list: ListView }) {
  const { columns, selection } = list;
  const line = (
    <tr>
      {selection && (
        <td>
          {row.id && (
            <input
              type="checkbox"
              name="id"
              value={row.id}
              form={selection}
              aria-label={gettext("Select %(name)s", { name: getName(row) })}
            />
          )}
        </td>
      )}
      {columns.map((column, index) => {
        const cell = row.cells[index];
        if (!cell) return null;
        if (index === 0) return <RowHead key={column.name} column={column} cell={cell} list={list} mark={row.mark} />;
        return (
          <td key={column.name} data-label={column.label} data-kind={column.kind === "number" ? "number" : undefined}>
            <Value column={column} cell={cell} keyword={getKeyword(list)} />
          </td>
        );
      })}
      {list.shows_actions ? (
        <td className="row-actions" id={`menu-${id}`}>
          {row.actions.length > 0 && (
            <div className="row-buttons">
              <Actions row={row} list={list} isInSight />
            </div>
          )}
        </td>
      ) : (
        <td className="row-actions" data-in-sight={row.in_sight ? "" : undefined}>
          {row.actions.length > 0 && <ActionMenu id={id} row={row} list={list} />}
        </td>
      )}
    </tr>
  );
  if (!row.headings) return line;
  const width = columns.length + (selection ? 2 : 1);
  return (
    <>
      {row.headings.map((heading) => (
        <tr key={heading} className="row-heading">
          <th scope="rowgroup" colSpan={width}>
            {heading}
          </th>
        </tr>
      ))}
      {line}
    </>
  );
}

interface RowHeadProps {
  readonly column: ColumnView;
  readonly cell: Cell;
  readonly list: ListView;
  readonly mark: string | undefined;
}

function RowHead({ column, cell, list, mark }: RowHeadProps) {
  const href = relative(list, cell.href ?? "");
  return (
    <th
      scope="row"
      data-initial={column.kind === "person" ? initial(cell.text || NONE, document.documentElement.lang) : undefined}
    >
      {mark && (
        <span className="row-mark">
          <span className="visually-hidden">{mark}</span>
        </span>
      )}
      {href && list.opening ? (
        <button className="row-open" type="submit" form={`act-${list.name}`} formAction={href + list.opening}>
          {cell.text || NONE}
        </button>
      ) : column.kind === "date" && href && cell.at ? (
        <a href={href}>
          <Time cell={cell} at={cell.at} />
        </a>
      ) : column.kind === "heading" && href ? (
        <h2>
          <Text cell={{ ...cell, href }} keyword={getKeyword(list)} />
        </h2>
      ) : column.kind === "word" && !href ? (
        cell.text || NONE
      ) : (
        <Text cell={{ ...cell, href }} keyword={getKeyword(list)} />
      )}
      {cell.note && (
        <>
          {" "}
          <small>
            <bdi translate="no" dir="ltr">
              <Marked text={cell.note} keyword={getKeyword(list)} />
            </bdi>
          </small>
        </>
      )}
    </th>
  );
}

/** What its controls call a row. */
function getName(row: Row): string {
  return row.label || row.cells[0]?.text || NONE;
}

/** The words that were searched for; none where nothing was. */
function getKeyword({ search }: ListView): string {
  return search.error ? "" : search.keyword;
}

function Value({ column, cell, keyword }: { column: ColumnView; cell: Cell; keyword: string }) {
  if (!cell.text) return <span className="muted">{NONE}</span>;
  if (cell.links) {
    return (
      <ul className="cell-links">
        {cell.links.map(({ label, href }) => (
          <li key={href}>
            <Text cell={{ text: label, href }} keyword={keyword} />
          </li>
        ))}
      </ul>
    );
  }
  if (cell.href && column.kind === "number") return <a href={cell.href}>{cell.text}</a>;
  if (cell.href) {
    return (
      <>
        <Text cell={cell} keyword={keyword} />
        <Note text={cell.note} />
      </>
    );
  }
  switch (column.kind) {
    case "badge":
      return (
        <>
          <Badge tone={cell.tone ?? "neutral"} text={cell.text} />
          <Note text={cell.note} />
        </>
      );
    case "email":
      return (
        <bdi translate="no" dir="ltr">
          <Marked text={cell.text} keyword={keyword} />
        </bdi>
      );
    case "date":
      return cell.at ? <Time cell={cell} at={cell.at} /> : <Text cell={cell} keyword="" />;
    case "word":
    case "number":
      return cell.text;
    case "summary":
      return <bdi className="summary">{cell.text}</bdi>;
    default:
      return <Text cell={cell} keyword={keyword} />;
  }
}

function Note({ text }: { text: string | undefined }) {
  return (
    text && (
      <>
        {" "}
        <small>{text}</small>
      </>
    )
  );
}

function Time({ cell, at }: { cell: Cell; at: string }) {
  return <time dateTime={`${at.slice(0, 16)}Z`}>{cell.text}</time>;
}

/** User input keeps its own text direction. */
function Text({ cell, keyword }: { cell: Cell; keyword: string }) {
  const text = (
    <bdi translate="no">
      <Marked text={cell.text || NONE} keyword={keyword} />
    </bdi>
  );
  return cell.href ? <a href={cell.href}>{text}</a> : text;
}

/** An address without what it has in common with the list's, as in the template. */
function relative(list: ListView, href: string): string {
  const folder = list.path.slice(0, list.path.lastIndexOf("/") + 1);
  return href.startsWith(folder) ? href.slice(folder.length) : href;
}

/** The actions of a row in a menu, which a wide window shows in the row where they are to be in sight. */
function ActionMenu({ id, row, list }: { id: string; row: Row; list: ListView }) {
  const target = `menu-${id}`;
  const label = gettext("Actions for %(name)s", { name: getName(row) });
  return (
    <>
      {/* biome-ignore lint/a11y/useButtonType: no form is around it */}
      <button popoverTarget={target} aria-label={label}>
        …
      </button>
      <div id={target} popover="">
        <Actions row={row} list={list} />
      </div>
    </>
  );
}

/** Those that fit the row. In sight, they are named after the row: many rows have the same action. */
function Actions({ row, list, isInSight }: { row: Row; list: ListView; isInSight?: boolean }) {
  const page = relative(list, row.href ?? row.cells[0]?.href ?? "");
  return row.actions.map((index) => {
    const action = list.actions[index];
    if (!action) return null;
    const { label, progress } = action;
    const href = `${page}${action.path}`;
    const ariaLabel =
      (isInSight || row.in_sight) && gettext("%(action)s: %(name)s", { action: label, name: getName(row) });
    const props = { ...(ariaLabel && { "aria-label": ariaLabel }), ...(isInSight && { className: "button" }) };
    if (!action.is_act) {
      return (
        <a key={index} href={href} {...props}>
          {label}
        </a>
      );
    }
    return (
      <button
        key={index}
        className="menu-item"
        form={`act-${list.name}`}
        formAction={href}
        data-progress={progress}
        {...props}
      >
        {label}
      </button>
    );
  });
}
