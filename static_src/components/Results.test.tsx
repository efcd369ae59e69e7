import { cleanup, render } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { start } from "../lib/i18n";
import type { ListView } from "../types/props.gen";
import arabic from "./fixtures/arabic.json";
import arabicNothing from "./fixtures/arabic-nothing.json";
import error from "./fixtures/error.json";
import inSight from "./fixtures/in-sight.json";
import middle from "./fixtures/middle.json";
import namesakes from "./fixtures/namesakes.json";
import nothingMatches from "./fixtures/nothing-matches.json";
import nothingYet from "./fixtures/nothing-yet.json";
import notices from "./fixtures/notices.json";
import oddIds from "./fixtures/odd-ids.json";
import rows from "./fixtures/rows.json";
import severalValues from "./fixtures/several-values.json";
import unreadViews from "./fixtures/unread-views.json";
import views from "./fixtures/views.json";
import { Results } from "./Results";

const PICTURES = {
  rows,
  namesakes,
  oddIds,
  inSight,
  middle,
  severalValues,
  error,
  notices,
  arabic,
  nothingYet,
  nothingMatches,
  arabicNothing,
  views,
  unreadViews,
};

afterEach(cleanup);

describe("what is below the search form is rendered as by the template", () => {
  it.each(Object.entries(PICTURES))("%s", async (_name, picture) => {
    await start(picture.language, picture.texts);
    document.body.innerHTML = '<svg><use href="/static/dist/icons.svg#menu"/></svg>';
    const template = document.createElement("div");
    template.innerHTML = picture.html;

    const { container } = render(<Results list={picture.list as unknown as ListView} />);

    const drawn = template.querySelector("[data-results]") as HTMLElement;
    expect(outline(drawn).length).toBeGreaterThan(3);
    expect(outline(container)).toEqual(outline(drawn));
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
