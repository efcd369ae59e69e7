// An icon of the sprite, whose address the page gives once. Screen readers pass it by.

export function Icon({ name }: { name: string }) {
  return (
    <svg className="icon" aria-hidden="true">
      <use href={`${document.getElementById("toasts")?.dataset.icons}#${name}`} />
    </svg>
  );
}
