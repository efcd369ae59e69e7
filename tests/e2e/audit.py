"""Checks of the audits built into browsers that axe doesn't make, in one call."""

from playwright.sync_api import Page

_FAULTS = """() => {
  const faults = [];
  const check = (right, text) => { if (!right) faults.push(text); };
  const all = (selector) => [...document.querySelectorAll(selector)];
  check(document.doctype?.name === "html" && document.compatMode === "CSS1Compat", "no doctype");
  check(document.characterSet === "UTF-8" && all("meta[charset]").length === 1, "no charset");
  check(document.title.trim(), "no title");
  check(document.documentElement.lang && document.documentElement.dir, "no language");
  const viewport = document.querySelector("meta[name=viewport]")?.content ?? "";
  check(viewport.includes("width=device-width") && !/user-scalable|maximum-scale/.test(viewport), `zoom: ${viewport}`);
  check(all("h1").filter((each) => each.checkVisibility()).length === 1, "not one h1");
  for (const image of all("img")) check(image.width && image.height && image.hasAttribute("alt"), `size: ${image.src}`);
  for (const link of all("a")) check(/^(https?|mailto|tel):/.test(link.href), `nowhere: ${link.outerHTML}`);
  for (const link of all("a[target=_blank]")) check(/noopener|noreferrer/.test(link.rel), `opener: ${link.href}`);
  for (const field of all("input, textarea")) {
    const paste = new ClipboardEvent("paste", { bubbles: true, cancelable: true, clipboardData: new DataTransfer() });
    check(field.dispatchEvent(paste), `no paste: ${field.name}`);
  }
  const native = "a[href], button, input, select, textarea, summary, iframe";
  const widgets = "button checkbox combobox link listbox menuitem option radio slider spinbutton switch tab textbox";
  for (const each of all(widgets.split(" ").map((role) => `[role=${role}]`).join()))
    check(each.matches(native), `no native control: ${each.outerHTML}`);
  for (const each of all("[tabindex]:not([tabindex^='-'])"))
    check(each.matches(native) || each.getAttribute("aria-label") || each.hasAttribute("aria-labelledby"),
      `a stop without a control or a name: ${each.outerHTML.slice(0, 200)}`);
  for (const each of all(".field-error[id]")) {
    const owner = document.querySelector(`[aria-describedby~="${each.id}"]`);
    check(owner?.matches("fieldset, [role=group]") || owner?.getAttribute("aria-invalid") === "true",
      `no field's error: ${each.outerHTML}`);
  }
  for (const radio of all("input[type=radio]"))
    check(radio.closest("fieldset:has(legend), [role=group][aria-labelledby]"), `no fieldset: ${radio.name}`);
  return faults;
}"""


def faults(page: Page) -> list[str]:
    """Return what such an audit would tell of the page as it is now."""
    messages: list[str] = page.evaluate(_FAULTS)
    return messages
