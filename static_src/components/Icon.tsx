// An icon of the sprite. Screen readers ignore it.

import { iconUrl } from "../lib/icons";

export function Icon({ name }: { name: string }) {
  return (
    <svg className="icon" aria-hidden="true">
      <use href={iconUrl(name)} />
    </svg>
  );
}
