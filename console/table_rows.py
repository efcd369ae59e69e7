"""The rows of a list as HTML, for templates/components/table.html. The Table component of the islands draws the same.

In Python and not in a template: a page has up to a hundred rows of eight cells, and a template takes ten times as long.
"""

from collections.abc import Callable
from html import escape

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from console.lists.view import Cell, CellKind, ListView, Row


def draw_rows(view: ListView) -> SafeString:
    """Draw the rows. What people typed is escaped, and keeps its own direction (bdi)."""
    head, *rest = view.columns
    draw_head = _person if head.kind == "person" else _head
    # What is the same in each row of a column is made once.
    cells = [(_cell_start(c.label, c.kind), _DRAWN.get(c.kind, _text)) for c in rest]
    tick = _tick(view.selection) if view.selection else None
    menu = _menu(view)
    drawn = (_row(row, draw_head, cells, tick, menu) for row in view.rows)
    return mark_safe("\n".join(drawn))  # noqa: S308 - escaped below


Draw = Callable[[Cell], str]
Tick = Callable[[Row], str]
Menu = Callable[[Row], str]


def _tick(form: str) -> Tick:
    """The check box of a row; its name for screen readers is the row's."""
    start = '<td class="row-select"><input type="checkbox" name="id" value="'
    end = f'" form="{escape(form)}" aria-label="'
    return lambda row: f'{start}{escape(row.id)}{end}{escape(row.cells[0].text)}"></td>'


def _row(row: Row, draw_head: Draw, cells: list[tuple[str, Draw]], tick: Tick | None, menu: Menu) -> str:
    first, *rest = row.cells
    drawn = "".join(f"{start}{_value(cell, draw)}</td>" for (start, draw), cell in zip(cells, rest, strict=True))
    box = tick(row) if tick else ""
    return f'<tr>{box}{draw_head(first)}{drawn}<td class="row-actions">{menu(row) if row.actions else ""}</td></tr>'


def _menu(view: ListView) -> Menu:
    """The actions of a row, behind one button that needs no script; a phone shows them all."""
    label = escape(_("Actions for %(name)s"))
    ends = [(f'{escape(action.path)}">{escape(action.label)}</a>') for action in view.actions]

    def menu(row: Row) -> str:
        target, href = f"actions-{escape(row.id)}", escape(str(row.href or row.cells[0].href))
        name = label % {"name": escape(row.cells[0].text)}
        links = "".join(f'<a href="{href}{ends[index]}' for index in row.actions)
        return (
            f'<button class="icon-button" type="button" popovertarget="{target}" aria-label="{name}">…</button>'
            f'<div class="menu" id="{target}" popover>{links}</div>'
        )

    return menu


def _value(cell: Cell, draw: Draw) -> str:
    if not cell.text:
        return '<span class="muted">–</span>'
    return _text(cell) if cell.href else draw(cell)


def _cell_start(label: str, kind: CellKind) -> str:
    number = ' data-kind="number"' if kind == "number" else ""
    return f'<td data-label="{escape(label)}"{number}>'


def _head(cell: Cell) -> str:
    return f'<th scope="row">{_text(cell)}</th>'


def _person(cell: Cell) -> str:
    return f'<th scope="row" data-initial="{escape(cell.text.strip()[:1].upper())}">{_text(cell)}</th>'


def _text(cell: Cell) -> str:
    text = f"<bdi>{escape(cell.text)}</bdi>"
    return f'<a href="{escape(cell.href)}">{text}</a>' if cell.href else text


def _badge(cell: Cell) -> str:
    return f'<span class="badge" data-tone="{cell.tone or "neutral"}">{escape(cell.text)}</span>'


def _email(cell: Cell) -> str:
    return f'<bdi dir="ltr">{escape(cell.text)}</bdi>'


def _date(cell: Cell) -> str:
    return f'<time datetime="{escape(cell.at)}">{escape(cell.text)}</time>' if cell.at else _text(cell)


_DRAWN: dict[CellKind, Draw] = {"badge": _badge, "email": _email, "date": _date}
