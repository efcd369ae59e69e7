import { cleanup, render } from "@testing-library/react";
import { afterEach, describe, expect, inject, it, vi } from "vitest";
import { start } from "../lib/i18n";
import { Results } from "./Results";

// The template's button is hidden until a script can copy.
vi.mock("../lib/copy", () => ({ canCopy: () => false }));

afterEach(cleanup);

describe("what is below the search form is rendered as by the template", () => {
  it.each(Object.entries(inject("drawings")))("%s", async (_name, { language, texts, list, html }) => {
    await start(language, texts);
    document.body.innerHTML = '<svg><use href="/static/dist/icons.svg#menu"/></svg>';
    const template = document.createElement("div");
    template.innerHTML = html;

    const { container } = render(<Results list={list} />);

    const expected = template.querySelector("[data-results]") as HTMLElement;
    expect(outline(expected).length).toBeGreaterThan(3);
    container.normalize(); // two texts next to each other are one in HTML
    expect(outline(container)).toEqual(outline(expected));
  });
});

/** Elements with sorted attributes and their texts, one per line; white space between elements is ignored. */
function outline(root: Element): string[] {
  return [...root.childNodes].flatMap((node) => {
    if (node instanceof Element) return [open(node), ...outline(node).map((line) => `  ${line}`)];
    const text = node.textContent?.replace(/\s+/g, " ") ?? "";
    return text.trim() ? [text] : [];
  });
}

function open(element: Element): string {
  const written = [...element.attributes].map(({ name, value }) => `${name}=${decoded(value)}`);
  return [element.localName, ...written.sort()].join(" ");
}

/** happy-dom does not decode these in attributes. */
function decoded(value: string): string {
  return value.replaceAll("&#x27;", "'").replaceAll("&lt;", "<").replaceAll("&gt;", ">");
}
