// "Select expected scanners on this page" ticks the rows that the list marks as expected, rendered by the server or by
// the island: `data-expected` is the head of that column. Without this script the link leads to a list of only these.

export function selectExpected(): void {
  for (const link of document.querySelectorAll<HTMLAnchorElement>("a[data-expected]"))
    link.addEventListener("click", (event) => {
      const boxes = expected(link.dataset.expected ?? "");
      // Nothing is marked in the list of now: its address still leads to those of the page.
      if (!boxes.length || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      for (const box of boxes) if (!box.checked) box.click();
    });
}

function expected(head: string): HTMLInputElement[] {
  const cells = document.querySelectorAll<HTMLElement>("[data-results] td[data-label]");
  return [...cells]
    .filter((cell) => cell.dataset.label === head && cell.querySelector(".badge[data-tone=info]"))
    .flatMap((cell) => [...(cell.parentElement?.querySelectorAll<HTMLInputElement>("input[name=id]") ?? [])]);
}
