// An icon of the sprite, whose URL is in the page once. Screen readers ignore it.

export function Icon({ name }: { name: string }) {
  return (
    <svg className="icon" aria-hidden="true">
      <use href={`${document.getElementById("toasts")?.dataset.icons}#${name}`} />
    </svg>
  );
}
