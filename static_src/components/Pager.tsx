// Page numbers, steps and page sizes of a list. Renders the same as templates/components/pager.html.

import { gettext } from "../lib/i18n";
import type { PageLink, PagerView } from "../types/props.gen";
import { Icon } from "./Icon";

export function Pager({ pager }: { pager: PagerView }) {
  if (!pager.sizes.length) return null;
  return (
    <nav className="pager" aria-label={pager.label}>
      <ul className="pager-sizes" aria-label={pager.sizes_label}>
        <li aria-hidden="true">{pager.sizes_label}</li>
        {pager.sizes.map((size) => (
          <li key={size.label}>
            <a href={size.href} aria-label={size.name} aria-current={size.current ? "true" : undefined}>
              {size.label}
            </a>
          </li>
        ))}
      </ul>
      {(pager.previous_href || pager.next_href) && (
        <ul className="pager-pages">
          <Neighbour href={pager.previous_href} rel="prev" label={gettext("Previous page")} icon="chevron-left" />
          {pager.pages.map((page, index) => (
            // Gaps have no name; one after the first page must differ from one before the last.
            <li key={page.name || `gap-${index > 1}`}>
              <Step page={page} />
            </li>
          ))}
          <Neighbour href={pager.next_href} rel="next" label={gettext("Next page")} icon="chevron-right" />
        </ul>
      )}
    </nav>
  );
}

function Step({ page }: { page: PageLink }) {
  if (!page.href) return <span>…</span>;
  return (
    <a href={page.href} aria-label={page.name} aria-current={page.current ? "page" : undefined}>
      {page.label}
    </a>
  );
}

function Neighbour({ href, rel, label, icon }: { href: string; rel: string; label: string; icon: string }) {
  if (!href) {
    return (
      <li aria-hidden="true">
        <span>
          <Icon name={icon} />
        </span>
      </li>
    );
  }
  return (
    <li>
      <a href={href} rel={rel} aria-label={label}>
        <Icon name={icon} />
      </a>
    </li>
  );
}
