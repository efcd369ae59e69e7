// What a list shows below its search form. Renders the same as templates/components/list.html; a test compares the two.

import { canCopy, copy } from "../lib/copy";
import { gettext } from "../lib/i18n";
import type { Chip, ListView, Notice, ViewLinks } from "../types/props.gen";
import { EmptyState } from "./EmptyState";
import { Icon } from "./Icon";
import { Pager } from "./Pager";
import { Table } from "./Table";

export function Results({ list }: { list: ListView }) {
  const hasRows = list.rows.length > 0;
  return (
    <>
      {list.notices.map((notice) => (
        <Unusable key={notice.text} notice={notice} />
      ))}
      {list.chips.length > 0 && <Chips chips={list.chips} />}
      {list.views && <Views views={list.views} />}
      {hasRows ? <Table list={list} /> : <EmptyState list={list} />}
      <div className="list-foot">
        <p className="list-status">{hasRows ? list.pager.range : list.empty.title}</p>
        {hasRows && <Pager pager={list.pager} />}
      </div>
    </>
  );
}

function Unusable({ notice: { text, remove_label, remove_href } }: { notice: Notice }) {
  return (
    <div className="alert" data-tone="warning" data-notice="">
      <Icon name="triangle-alert" />
      <div className="alert-text">
        <p>
          {`${text} `}
          <a href={remove_href}>{remove_label}</a>
        </p>
      </div>
    </div>
  );
}

function Chips({ chips }: { chips: Chip[] }) {
  return (
    <ul className="chips">
      {chips.map((chip) => (
        <li key={chip.label}>
          <span translate={chip.has_name ? "no" : undefined}>{chip.label}</span>
          <a href={chip.remove_href} aria-label={chip.remove_label}>
            <Icon name="x" />
          </a>
        </li>
      ))}
    </ul>
  );
}

function Views({ views }: { views: ViewLinks }) {
  const { label, links } = views;
  const actions = (
    <>
      {views.act_href && (
        <a className="views-act" href={views.act_href} title={views.act_label}>
          <Icon name="bookmark" />
          {views.act_label}
        </a>
      )}
      {views.share_href && <CopyLink href={views.share_href} />}
    </>
  );
  if (links.length === 0 && !views.message) return <div className="views-acts">{actions}</div>;
  return (
    <nav className="views" aria-label={label}>
      {views.message && <p>{views.message}</p>}
      {links.map(({ label, href, is_current }) => (
        <a className="view" key={label + href} href={href} aria-current={is_current ? "page" : undefined}>
          <bdi translate="no">{label}</bdi>
        </a>
      ))}
      {actions}
    </nav>
  );
}

function CopyLink({ href }: { href: string }) {
  const copied = gettext("Link copied.");
  return (
    <button
      className="views-act"
      type="button"
      data-copy-address={href}
      data-copied={copied}
      hidden={!canCopy()}
      onClick={() => copy(new URL(href, location.href).href, copied)}
    >
      <Icon name="link" />
      {gettext("Copy link")}
    </button>
  );
}
