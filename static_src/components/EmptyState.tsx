// A list without rows: nothing yet, or nothing matches. Renders the same as templates/components/list.html.

import type { ListView } from "../types/props.gen";
import { Icon } from "./Icon";

export function EmptyState({ list: { empty } }: { list: ListView }) {
  return (
    <div className="empty">
      <Icon name={empty.action_href ? "search-x" : "inbox"} />
      <p className="empty-title">{empty.title}</p>
      <p>{empty.text}</p>
      {empty.action_href && (
        <a className="button" href={empty.action_href}>
          {empty.action_label}
        </a>
      )}
      {empty.first_steps.length > 0 && (
        <div className="empty-actions">
          {empty.first_steps.map((step, index) => (
            <a key={step.href} className="button" data-variant={index === 0 ? "primary" : undefined} href={step.href}>
              {step.label}
            </a>
          ))}
        </div>
      )}
    </div>
  );
}
