import { act, cleanup, fireEvent, screen, within } from "@testing-library/react";
import { renderToStaticMarkup } from "react-dom/server";
import { afterEach, beforeEach, describe, expect, inject, it, vi } from "vitest";
import { Results } from "../../components/Results";
import { PageEvent } from "../../lib/events";
import { startIsland } from "../../testing/islands";
import { type Call, done, fakeServer, refused } from "../../testing/server";
import type { ColumnView, ListView } from "../../types/props.gen";
import { start } from "./index";

const PATH = "/user-manage/clinic/c-1/user";
const { rows, error, middle, "several-values": severalValues } = inject("drawings");
const FIRST = middle.list;

let calls: Call[];

let stop: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  calls = fakeServer();
  history.replaceState(null, "", PATH);
  stop = hearNothingAfterwards();
});

afterEach(() => {
  stop();
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A list lives as long as its document, which is that of all tests here. */
function hearNothingAfterwards(): () => void {
  const added = vi.spyOn(window, "addEventListener");
  return () => {
    for (const [type, listener] of added.mock.calls)
      if (type === "popstate" || type === "online") removeEventListener(type, listener);
  };
}

/** What a list can't apply of its address. */
const GONE = {
  text: "This link has Status GONE.",
  remove_label: "Remove it from the link",
  remove_href: `${PATH}?status=ACTIVE`,
};

/** The initial list of the page: no keyword, no filter. */
const FRESH = makeList("Ada");

function makeList(name: string, change: Partial<ListView> = {}): ListView {
  const [row] = FIRST.rows;
  if (!row) throw new Error("the picture has no rows");
  const [cell, ...cells] = row.cells;
  return {
    ...FIRST,
    search: { ...FIRST.search, keyword: "", error: "" },
    filters: FIRST.filters.map((f) => ({ ...f, options: f.options.map((o) => ({ ...o, selected: false })) })),
    hidden: [],
    chips: [],
    rows: [{ ...row, id: name, cells: [{ ...(cell ?? row.cells[0]), text: name } as never, ...cells] }],
    pager: { ...FIRST.pager, range: `1 to 1 of 1 (${name})` },
    ...change,
  };
}

/** The page as the server wrote it: the form of a picture, and the rows of a list. */
async function open(list = FRESH, html = rows.html) {
  write(html);
  section().querySelector("[data-results]")?.setAttribute("data-sorting", list.sorting);
  (section().querySelector("[data-results]") as HTMLElement).innerHTML = renderToStaticMarkup(<Results list={list} />);
  await startIsland(start, section());
}

/** Without the script, which can't be loaded here. */
function write(html: string) {
  document.body.innerHTML = html.replace(/<script.*?<\/script>/, "");
}

function section() {
  return document.querySelector("section") as HTMLElement;
}

async function pass(ms = 0) {
  await act(() => vi.advanceTimersByTimeAsync(ms));
}

function box() {
  return screen.getByRole<HTMLInputElement>("searchbox");
}

function type(keyword: string) {
  fireEvent.input(box(), { target: { value: keyword } });
}

function filter(name: string, value: string) {
  return document.querySelector(`input[name="${name}"][value="${value}"]`) as HTMLInputElement;
}

function tick(name: string, value: string) {
  fireEvent.click(filter(name, value));
}

async function answer(call: Call | undefined, list: ListView) {
  call?.answer(done({ list }));
  await pass(1);
}

function turned(by: string) {
  return (column: ColumnView) => (column.name === "name" ? { ...column, sort_href: `${PATH}?by=${by}` } : column);
}

function rowNames() {
  return screen.getAllByRole("rowheader").map((cell) => cell.querySelector("bdi")?.textContent);
}

/** The live region of the rows; the search form has its own. */
function getAnnouncement() {
  return section().querySelector(":scope > [role=status]") as HTMLElement;
}

function address() {
  return location.pathname + location.search;
}

it("removes the server's message about the keyword only when its own is there, so that nothing moves", async () => {
  write(error.html);
  const region = section().querySelector(".search-message") as HTMLElement;
  const [server] = region.children;
  const records: MutationRecord[] = [];
  const observer = new MutationObserver((more) => records.push(...more));
  observer.observe(region, { childList: true });
  await startIsland(start, section());
  records.push(...observer.takeRecords());
  observer.disconnect();
  expect(records.map(({ addedNodes }) => addedNodes.length > 0)).toEqual([true, false]);
  expect(region.contains(server ?? null)).toBe(false);
});

describe("searching while typing", () => {
  it("makes no call at the start", async () => {
    await open();
    await pass(60_000);
    expect(calls).toEqual([]);
    expect(rowNames()).toEqual(["Ada"]);
  });

  it("waits until 300 ms after typing, then makes one call [CO-18]", async () => {
    await open();
    type("a");
    await pass(299);
    type("an");
    await pass(299);
    expect(calls).toHaveLength(0);
    await pass(1);
    expect(calls.map((call) => call.url)).toEqual([`${PATH}?keyword=an`]);
    expect(calls[0]?.headers.get("Accept")).toBe("application/json");
  });

  it("searches immediately on Enter, and not again after the delay [CO-18]", async () => {
    await open();
    type("an");
    fireEvent.submit(screen.getByRole("search"));
    await pass(0);
    expect(calls).toHaveLength(1);
    await pass(1000);
    expect(calls).toHaveLength(1);
  });

  it("keeps the address up to date without a history entry for each letter [RT-41]", async () => {
    await open();
    const steps = history.length;
    type("an");
    await pass(300);
    expect(address()).toBe(`${PATH}?keyword=an`);
    expect(history.length).toBe(steps);
  });

  it("keeps the focus and what is being typed when the rows arrive", async () => {
    await open();
    box().focus();
    type("an");
    await pass(300);
    type("ann");
    await answer(calls[0], makeList("Ann", { search: { ...FRESH.search, keyword: "an" } }));
    expect(box().value).toBe("ann");
    expect(document.activeElement).toBe(box());
  });

  it("never lets a late answer win", async () => {
    await open();
    type("a");
    await pass(300);
    type("an");
    await pass(300);
    await answer(calls[1], makeList("Ann"));
    expect(calls[0]?.gaveUp).toBe(true);
    await answer(calls[0], makeList("Alf"));
    expect(rowNames()).toEqual(["Ann"]);
  });

  it("keeps sort and size, and goes to page 1 [LS-02, DM-08]", async () => {
    history.replaceState(null, "", `${PATH}?sort=status&order=desc&page=3`);
    const carried = '<input type="hidden" name="sort" value="status"><input type="hidden" name="order" value="desc">';
    await open(FRESH, rows.html.replace('<div class="search-box"', `${carried}<div class="search-box"`));
    type("an");
    await pass(300);
    expect(calls[0]?.url).toBe(`${PATH}?sort=status&order=desc&keyword=an`);
  });

  it("says how many rows there are and in which order, in a region that is there before, once [LS-05, AX-08]", async () => {
    await open();
    const region = getAnnouncement();
    expect(region.textContent).toBe("");
    fireEvent.click(screen.getByRole("link", { name: "Name" }));
    await pass();
    expect(region.textContent).toBe("");
    const onMutation = vi.fn();
    new MutationObserver(onMutation).observe(region, { childList: true, characterData: true, subtree: true });
    await answer(calls[0], makeList("Ann", { sorting: "Users of Clinic 1. Sorted by Name, ascending" }));
    expect(getAnnouncement()).toBe(region);
    expect(region.textContent).toBe("1 to 1 of 1 (Ann). Users of Clinic 1. Sorted by Name, ascending");
    await vi.waitFor(() => expect(onMutation).toHaveBeenCalledOnce());
  });
});

describe("searching by email", () => {
  async function byEmail() {
    await open();
    fireEvent.change(screen.getByRole("combobox", { name: "Search in" }), { target: { value: "email" } });
  }

  it("makes no call for an incomplete address, and shows no error while typing [VA-21]", async () => {
    await byEmail();
    type("ann@clinic");
    await pass(1000);
    expect(calls).toEqual([]);
    expect(box().getAttribute("aria-invalid")).toBeNull();
    expect(screen.getByText("Enter a complete email address.")).toBeTruthy();
  });

  it("says what is missing in an existing live region, and links it to the box [VA-21, AX-08]", async () => {
    await byEmail();
    const region = within(screen.getByRole("search")).getByRole("status");
    expect(region.textContent).toBe("");
    type("ann@clinic");
    expect(region.textContent).toBe("Enter a complete email address.");
    expect(document.getElementById(box().getAttribute("aria-describedby") ?? "")?.textContent).toBe(region.textContent);
    fireEvent.blur(box());
    expect(region.textContent).toBe("Invalid email");
  });

  it("shows the error once the field is left [VA-21]", async () => {
    await byEmail();
    type("ann@clinic");
    fireEvent.blur(box());
    expect(box().getAttribute("aria-invalid")).toBe("true");
    const described = box().getAttribute("aria-describedby") ?? "";
    expect(document.getElementById(described)?.textContent).toBe("Invalid email");
  });

  it("shows the error on Enter, without a call [VA-21]", async () => {
    await byEmail();
    type("ann");
    fireEvent.submit(screen.getByRole("search"));
    await pass(1000);
    expect(calls).toEqual([]);
    expect(screen.getByText("Invalid email")).toBeTruthy();
  });

  it("searches for a complete address [VA-21]", async () => {
    await byEmail();
    type("ann@clinic.example");
    await pass(300);
    expect(calls[0]?.url).toBe(`${PATH}?keyword=ann%40clinic.example&searchField=email`);
  });

  it("drops the pending call when the keyword is no longer an address", async () => {
    await byEmail();
    type("ann@clinic.example");
    await pass(200);
    type("ann@");
    await pass(1000);
    expect(calls).toEqual([]);
  });
});

describe("links of the list", () => {
  it("reads the next page in place and adds a history entry [RT-41]", async () => {
    await open();
    const steps = history.length;
    fireEvent.click(screen.getByRole("link", { name: "Next page" }));
    await pass();
    expect(calls[0]?.url).toBe(FIRST.pager.next_href);
    expect(address()).toBe(FIRST.pager.next_href);
    expect(history.length).toBe(steps + 1);
  });

  it("keeps the old rows, marked busy, until the new ones arrive", async () => {
    await open();
    fireEvent.click(screen.getByRole("link", { name: "Next page" }));
    await pass(1000);
    expect(rowNames()).toEqual(["Ada"]);
    expect(document.querySelector(".list")?.getAttribute("aria-busy")).toBe("true");
    await answer(calls[0], makeList("Bea"));
    expect(rowNames()).toEqual(["Bea"]);
    expect(document.querySelector(".list")?.hasAttribute("aria-busy")).toBe(false);
  });

  it("moves the focus to the rows after a change of page", async () => {
    await open();
    const next = screen.getByRole("link", { name: "Next page" });
    next.focus();
    fireEvent.click(next);
    await pass();
    expect(document.activeElement).toBe(next);
    await answer(calls[0], makeList("Bea"));
    expect(document.activeElement?.getAttribute("role")).toBe("region");
  });

  it("leaves the focus where it went while the rows were on their way [AX-02]", async () => {
    await open();
    const next = screen.getByRole("link", { name: "Next page" });
    next.focus();
    fireEvent.click(next);
    await pass();
    const filters = screen.getByRole("button", { name: "Filters" });
    filters.focus();
    await answer(calls[0], makeList("Bea"));
    expect(rowNames()).toEqual(["Bea"]);
    expect(document.activeElement).toBe(filters);
  });

  it("leaves the checkbox in the table header to the script that controls it [LS-07]", async () => {
    await open();
    const head = () => document.querySelector("thead input[data-select=page]") as HTMLInputElement;
    for (const name of ["Bea", "Cleo"]) {
      fireEvent.click(screen.getByRole("link", { name: "Next page" }));
      await pass();
      await answer(calls.at(-1), makeList(name, { pager: { ...FIRST.pager, next_href: `${PATH}?page=${name}` } }));
      expect(head().getAttribute("aria-label")).toBe("Select all on this page");
      if (name === "Cleo") expect([head().hidden, head().checked]).toEqual([false, true]);
      Object.assign(head(), { hidden: false, checked: true });
    }
  });

  it("leaves the focus on a column header after sorting, and a wide table where it was scrolled to", async () => {
    await open();
    const head = () => screen.getByRole("link", { name: "Name" });
    const scrolled = () => screen.getByRole("region").scrollLeft;
    head().focus();
    screen.getByRole("region").scrollLeft = 40;
    for (const name of ["Bea", "Cleo"]) {
      fireEvent.click(head());
      await pass();
      await answer(calls.at(-1), makeList(name, { columns: FIRST.columns.map(turned(name)) }));
      expect(rowNames()).toEqual([name]);
      expect(document.activeElement).toBe(head());
      expect(scrolled()).toBe(40);
    }
  });

  it.each([{ ctrlKey: true }, { metaKey: true }, { shiftKey: true }, { button: 1 }])(
    "leaves %o to the browser",
    async (how) => {
      await open();
      const isUnhandled = fireEvent.click(screen.getByRole("link", { name: "Next page" }), how);
      await pass();
      expect(isUnhandled).toBe(true);
      expect(calls).toEqual([]);
    },
  );

  it("leaves links to other pages to the browser", async () => {
    await open();
    const isUnhandled = fireEvent.click(within(screen.getByRole("rowheader")).getByRole("link"));
    await pass();
    expect(isUnhandled).toBe(true);
    expect(calls).toEqual([]);
  });

  it("searches immediately when a filter is chosen", async () => {
    await open();
    tick("status", "INVITED");
    await pass();
    expect(calls[0]?.url).toBe(`${PATH}?status=INVITED`);
  });

  it("keeps the other values of a filter until they are removed [DM-07]", async () => {
    await open(severalValues.list, severalValues.html);
    for (const box of screen.getAllByRole<HTMLInputElement>("checkbox")) {
      if (box.name === "team" && box.checked) tick("team", box.value);
    }
    await pass();
    expect(calls.at(-1)?.url).toBe(`${PATH}?sort=status&order=asc&status=ACTIVE&status=INVITED`);
  });

  it("goes from page 3 to page 1 when a filter or a page size is chosen [LS-02, DM-08]", async () => {
    history.replaceState(null, "", `${PATH}?page=3`);
    await open();
    tick("status", "INVITED");
    await pass();
    await answer(calls[0], FRESH);
    fireEvent.click(screen.getByRole("link", { name: "100 rows per page" }));
    await pass();
    expect(calls.map(({ url }) => new URL(url, "http://x").searchParams.get("page"))).toEqual([null, null]);
    expect(calls[1]?.url).toContain("size=100");
  });

  it("moves the focus to the search box when there are no rows", async () => {
    await open();
    fireEvent.click(screen.getByRole("link", { name: "Next page" }));
    await pass();
    await answer(calls[0], makeList("", { rows: [] }));
    expect(document.activeElement).toBe(box());
  });
});

describe("columns", () => {
  function column(name: string) {
    return document.querySelector(`[data-columns] [value="${name}"]`) as HTMLInputElement;
  }

  function without(name: string, change: Partial<ListView> = {}) {
    const { columns, rows } = makeList("Bea");
    const index = columns.findIndex((each) => each.name === name);
    const withoutColumn = <T,>(all: readonly T[]) => all.filter((_each, other) => other !== index);
    return makeList("Bea", {
      columns: withoutColumn(columns),
      rows: rows.map((r) => ({ ...r, cells: withoutColumn(r.cells) })),
      ...change,
    });
  }

  /** The form of columns where this one is hidden. */
  function chosen(hidden: string): ListView["column_form"] {
    const form = FIRST.column_form;
    return form && { ...form, choices: form.choices.map((each) => ({ ...each, is_shown: each.name !== hidden })) };
  }

  it("are hidden at once, without another address, a history entry or an announcement [DM-12]", async () => {
    await open();
    const steps = history.length;
    fireEvent.click(column("email"));
    await pass();
    expect(calls.map(({ url }) => new URL(url, location.href).searchParams.getAll("column"))).toEqual([
      FIRST.columns.map(({ name }) => name).filter((name) => name !== "name" && name !== "email"),
    ]);
    expect(calls[0]?.url).toContain("columns=alias.email.");
    await answer(calls[0], without("email"));
    expect(screen.queryByRole("columnheader", { name: "Email" })).toBeNull();
    expect([address(), history.length, getAnnouncement().textContent]).toEqual([PATH, steps, ""]);
  });

  it("are not repeated at the next address, and earlier pages are read again [DM-12]", async () => {
    await open();
    fireEvent.click(screen.getByRole("link", { name: "Next page" }));
    await pass();
    await answer(calls[0], makeList("Bea"));
    fireEvent.click(column("email"));
    await pass();
    expect(calls[1]?.url.startsWith(`${calls[0]?.url}&columns=`)).toBe(true);
    await answer(calls[1], without("email"));
    history.back();
    await pass(50);
    expect(calls.slice(2).map(({ url }) => url)).toEqual([PATH]);
  });

  it("are said again when it is tried again [DM-12]", async () => {
    await open();
    fireEvent.click(column("email"));
    await pass();
    calls[0]?.answer(refused("No."));
    await pass(1);
    fireEvent.click(screen.getByRole("button", { name: "Try again" }));
    await pass();
    expect(calls[1]?.url).toBe(calls[0]?.url);
  });

  it("are ticked as they were chosen, in whichever tab [DM-12]", async () => {
    await open();
    fireEvent.click(screen.getByRole("link", { name: "Next page" }));
    await pass();
    await answer(calls[0], without("email", { column_form: chosen("email") }));
    expect([column("email").checked, column("alias").checked]).toEqual([false, true]);
  });

  it("stay chosen where the head of the page says what all rows have in common [DM-12]", async () => {
    await open();
    fireEvent.click(screen.getByRole("link", { name: "Next page" }));
    await pass();
    await answer(calls[0], without("home", { facts: ["Clinic: Clinic 1"] }));
    expect(column("home").checked).toBe(true);
    fireEvent.click(column("email"));
    await pass();
    expect(new URL(calls[1]?.url ?? "", location.href).searchParams.getAll("column")).toContain("home");
  });

  it("are left as they are by an answer without the form of columns", async () => {
    await open();
    fireEvent.click(screen.getByRole("link", { name: "Next page" }));
    await pass();
    await answer(calls[0], without("email", { column_form: null }));
    expect(column("email").checked).toBe(true);
  });
});

describe("back and forward", () => {
  /** The address is written by hand: where `history.back()` leads to, and when, depends on the tests before. */
  async function goBack() {
    history.replaceState(null, "", PATH);
    dispatchEvent(new PopStateEvent("popstate"));
    await pass(1);
  }

  it("shows the previous rows immediately, with their search [RT-41]", async () => {
    await open();
    tick("status", "INVITED");
    await pass();
    await answer(calls[0], makeList("Bea"));
    await goBack();
    expect(rowNames()).toEqual(["Ada"]);
    expect(filter("status", "INVITED").checked).toBe(false);
  });

  it("reads rows again that were left more than five minutes ago", async () => {
    await open();
    await pass(600_000);
    tick("status", "INVITED");
    await pass();
    await answer(calls[0], makeList("Bea"));
    await pass(299_000);
    await goBack();
    expect([rowNames(), calls.length]).toEqual([["Ada"], 1]);
    history.replaceState(null, "", `${PATH}?status=INVITED`);
    await pass(301_000);
    dispatchEvent(new PopStateEvent("popstate"));
    await pass();
    expect(calls.map((call) => call.url)).toEqual([`${PATH}?status=INVITED`, `${PATH}?status=INVITED`]);
  });

  it("puts the keyword of the address into the box [RT-41]", async () => {
    await open();
    type("ann");
    await pass(300);
    await answer(calls[0], makeList("Ann", { search: { ...FRESH.search, keyword: "ann" } }));
    await goBack();
    expect(box().value).toBe("");
  });
});

describe("what goes wrong", () => {
  it("says so in place, keeps the rows and tries again on request [LS-14]", async () => {
    await open();
    fireEvent.click(screen.getByRole("link", { name: "Next page" }));
    await pass();
    calls[0]?.answer(refused("The service does not answer."), 502);
    await pass(1);
    expect(within(screen.getByRole("alert")).getByText("The service does not answer.")).toBeTruthy();
    expect(rowNames()).toEqual(["Ada"]);

    fireEvent.click(screen.getByRole("button", { name: "Try again" }));
    await pass();
    expect(calls).toHaveLength(2);
    await answer(calls[1], makeList("Bea"));
    expect(screen.queryByRole("alert")).toBeNull();
    expect(rowNames()).toEqual(["Bea"]);
  });

  it("is announced, and leaves the focus on the link that was pressed [AX-02]", async () => {
    await open();
    const next = screen.getByRole("link", { name: "Next page" });
    next.focus();
    fireEvent.click(next);
    await pass();
    calls[0]?.answer(refused("The service does not answer."), 502);
    await pass(1);
    expect(screen.getByRole("alert").textContent).toContain("The service does not answer.");
    expect(document.activeElement).toBe(next);
  });

  it("is announced after a search, and leaves the focus in the search box, and what is typed there [LS-14, AX-02, AX-08]", async () => {
    await open();
    box().focus();
    type("an");
    await pass(300);
    type("ann");
    calls[0]?.answer(refused("The service does not answer."), 502);
    await pass(1);
    expect(screen.getByRole("alert").textContent).toContain("The service does not answer.");
    expect(document.activeElement).toBe(box());
    expect(box().value).toBe("ann");
  });

  it("says what the list can't apply of its address, and waits with exports until that is removed", async () => {
    await open();
    document.body.insertAdjacentHTML("beforeend", '<a href="/export" data-download>Export CSV</a>');
    fireEvent.click(screen.getByRole("link", { name: "Next page" }));
    await pass();
    calls[0]?.answer(refused(GONE.text, { item: { list: makeList("Ada", { rows: [], notices: [GONE] }) } }), 422);
    await pass(1);
    expect(screen.queryByRole("alert")).toBeNull();
    expect(section().querySelector("[data-notice]")?.textContent).toBe(
      "This link has Status GONE. Remove it from the link",
    );
    expect(section().querySelector(".visually-hidden")?.textContent).toBe(
      "This link has Status GONE. Remove it from the link",
    );
    expect(document.querySelector<HTMLElement>("a[data-download]")?.hidden).toBe(true);

    fireEvent.click(screen.getByRole("link", { name: "Remove it from the link" }));
    await pass();
    expect(calls[1]?.url).toBe(GONE.remove_href);
    await answer(calls[1], makeList("Bea"));
    expect(rowNames()).toEqual(["Bea"]);
    expect(document.querySelector<HTMLElement>("a[data-download]")?.hidden).toBe(false);
  });

  it("loads the page again where it came without what can be done with the whole list", async () => {
    const reload = vi.spyOn(location, "reload").mockImplementation(() => {});
    await open(makeList("Ada", { rows: [], notices: [GONE] }));
    fireEvent.click(screen.getByRole("link", { name: "Remove it from the link" }));
    await pass();
    await answer(calls[0], makeList("Bea"));
    expect(reload).toHaveBeenCalledOnce();
    expect(location.search).toBe("?status=ACTIVE");
    reload.mockRestore();
  });

  it("makes exactly one call, whatever the answer [ST-51, CO-11]", async () => {
    await open();
    fireEvent.click(screen.getByRole("link", { name: "Next page" }));
    await pass();
    calls[0]?.answer(refused("No."), 500);
    await pass(120_000);
    expect(calls).toHaveLength(1);
  });

  it("says that the answer could not be read if it is not the console's", async () => {
    await open();
    fireEvent.click(screen.getByRole("link", { name: "Next page" }));
    await pass();
    calls[0]?.answer({ detail: "Bad gateway" }, 502);
    await pass(1);
    expect(screen.getByRole("alert").textContent).toContain("response couldn't be read");
    expect(rowNames()).toEqual(["Ada"]);
  });

  it("says that the console can't be reached if no answer comes", async () => {
    await open();
    fireEvent.click(screen.getByRole("link", { name: "Next page" }));
    await pass();
    calls[0]?.breakOff();
    await pass(1);
    expect(screen.getByRole("alert").textContent).toContain("Can't reach the console.");
  });
});

describe("cached rows", () => {
  it("are not read again when they are mounted, nor after a minute [ST-49]", async () => {
    await open();
    await pass(60_000);
    expect(calls).toEqual([]);
  });

  it("are not read again when the window gets the focus [ST-48]", async () => {
    await open();
    document.dispatchEvent(new Event("visibilitychange"));
    dispatchEvent(new Event("focus"));
    await pass(1000);
    expect(calls).toEqual([]);
  });

  it("are read again, once, when the connection is back [ST-50]", async () => {
    await open();
    dispatchEvent(new Event("offline"));
    await pass(1);
    dispatchEvent(new Event("online"));
    await pass(1000);
    expect(calls.map((call) => call.url)).toEqual([PATH]);
    await answer(calls[0], makeList("Bea"));
    expect(rowNames()).toEqual(["Bea"]);
  });

  it("leave what is being typed alone when they are read again", async () => {
    await open();
    type("half a na");
    dispatchEvent(new Event("offline"));
    dispatchEvent(new Event("online"));
    await pass(1);
    await answer(calls[0], makeList("Bea"));
    expect(box().value).toBe("half a na");
  });
});

describe("the server's own page", () => {
  it("is left alone until there is something else to show", async () => {
    await open();
    const before = section().querySelector("[data-results]");
    await pass(60_000);
    expect(section().querySelector("[data-results]")).toBe(before);
  });

  it("comes back with its address, as the very same elements [RT-41]", async () => {
    await open();
    const [form, before] = [screen.getByRole("search"), section().querySelector("[data-results]")];
    fireEvent.click(screen.getByRole("link", { name: "Next page" }));
    await pass();
    await answer(calls[0], makeList("Bea"));
    expect(before?.isConnected).toBe(false);
    history.replaceState(null, "", PATH);
    dispatchEvent(new PopStateEvent("popstate"));
    await pass(1);
    expect(section().querySelector("[data-results]")).toBe(before);
    expect(screen.getByRole("search")).toBe(form);
    expect(calls).toHaveLength(1);
    expect(getAnnouncement().textContent).toContain(FRESH.sorting);
  });

  it("is replaced with rows that are read again when the user returns to its address", async () => {
    await open();
    tick("status", "INVITED");
    await pass();
    await answer(calls[0], makeList("Bea"));
    tick("status", "INVITED");
    await pass();
    expect(calls[1]?.url).toBe(PATH);
  });

  it("is searched at once for what was typed before this code came, and keeps it", async () => {
    write(rows.html);
    const field = box();
    field.value = "ann";
    field.focus();
    await startIsland(start, section());
    expect([box(), document.activeElement]).toEqual([field, field]);
    await pass(300);
    expect(calls.map((call) => call.url)).toEqual([`${PATH}?keyword=ann`]);
    expect(field.value).toBe("ann");
  });

  it("is not searched for a field that was chosen without a keyword", async () => {
    write(rows.html);
    screen.getByRole<HTMLSelectElement>("combobox", { name: "Search in" }).value = "email";
    await startIsland(start, section());
    await pass(1000);
    expect(calls).toEqual([]);
  });
});

describe("a word that is being composed", () => {
  function compose(value: string) {
    fireEvent.input(box(), { target: { value }, isComposing: true });
  }

  it("is not searched for until it is complete, and then once", async () => {
    await open();
    compose("ㅎ");
    await pass(1000);
    compose("하");
    await pass(1000);
    expect(calls).toEqual([]);
    fireEvent.compositionEnd(box(), { data: "하" });
    fireEvent.input(box(), { target: { value: "하" } });
    await pass(1000);
    expect(calls.map((call) => call.url)).toEqual([`${PATH}?keyword=%ED%95%98`]);
  });

  it("is not searched for either when this code arrives in the middle of it", async () => {
    write(rows.html);
    section().setAttribute("data-composing", "");
    box().value = "하";
    await startIsland(start, section());
    await pass(1000);
    expect(calls).toEqual([]);
    section().removeAttribute("data-composing");
    fireEvent.compositionEnd(box(), { data: "하나" });
    await pass(300);
    expect(calls).toHaveLength(1);
    expect(box().value).toBe("하");
  });
});

describe("the form of another address", () => {
  const team = {
    name: "room",
    label: "Room",
    any_label: "Any",
    options: [option("t-9", "Front desk")],
    is_single: false,
    find: "",
  };

  function option(value: string, label: string) {
    return { value, label, selected: true };
  }

  async function goToPage(list: ListView) {
    fireEvent.click(screen.getByRole("link", { name: "Next page" }));
    await pass();
    await answer(calls.at(-1), list);
  }

  it("gets the choices that it lacks", async () => {
    await open();
    const [status] = FRESH.filters;
    if (!status) throw new Error("the picture has no filter");
    const chips = [{ label: "Status: Locked", remove_label: "Remove", remove_href: PATH }];
    const options = [...status.options, option("LOCKED", "Locked")];
    await goToPage(makeList("Bea", { filters: [{ ...status, options }], chips }));
    expect(filter("status", "LOCKED").checked).toBe(true);
    expect(filter("status", "LOCKED").closest("label")?.textContent).toBe("Locked");
    expect(document.querySelector("[data-filter-count]")?.textContent).toBe("1");
  });

  it("offers no more what only another address offers, and sends none of it [LS-01]", async () => {
    await open();
    await goToPage(makeList("Bea", { filters: [team, ...FRESH.filters] }));
    type("a");
    await pass(300);
    await answer(
      calls.at(-1),
      makeList("Cid", { filters: [{ ...team, options: [option("t-1", "Lab")] }, ...FRESH.filters] }),
    );
    expect(filter("room", "t-9").closest("label")?.hidden).toBe(true);
    expect(filter("room", "t-1").closest("label")?.hidden).toBe(false);
    type("ab");
    await pass(300);
    await answer(calls.at(-1), makeList("Dan"));
    expect(filter("room", "t-1").closest("fieldset")?.hidden).toBe(true);
    type("abc");
    await pass(300);
    expect(calls.at(-1)?.url).toBe(`${PATH}?keyword=abc`);
  });

  it("finds one of many choices, keeps what is chosen, and does not search for it [DM-06]", async () => {
    const clinic = { ...team, name: "place", options: [], find: "Find a place" };
    const choice = (value: string, label: string) =>
      `<label class="check"><input type="checkbox" name="place" value="${value}"><span>${label}</span></label>`;
    const finder = '<input type="search" data-find aria-label="Find a place">';
    const choices = [choice("1", "Zürich"), choice("2", "Ålesund"), choice("3", "Oslo")].join("");
    const fieldset = `<fieldset data-filter="place"><legend>Place</legend>${finder}<div>${choices}</div></fieldset>`;
    await open(FRESH, rows.html.replace("<fieldset", `${fieldset}<fieldset`));
    const box = screen.getByRole<HTMLInputElement>("searchbox", { name: "Find a place" });
    const inSight = () => ["1", "2", "3"].filter((value) => !filter("place", value).closest("label")?.hidden);
    tick("place", "3");
    await pass();
    await answer(calls.at(-1), makeList("Bea", { filters: [clinic, ...FRESH.filters] }));
    expect(inSight()).toEqual(["1", "2", "3"]);
    fireEvent.input(box, { target: { value: "zuri" } });
    expect(inSight()).toEqual(["1", "3"]);
    fireEvent.input(box, { target: { value: "ale" } });
    expect(inSight()).toEqual(["2", "3"]);
    fireEvent.change(box);
    expect(fireEvent.keyDown(box, { key: "Enter" })).toBe(false);
    expect(calls).toHaveLength(1);
  });

  it("asks the server for choices by name where it has not all of them [DM-06]", async () => {
    const label = '<label class="check"><input type="checkbox" name="place" value="1"><span>Oslo</span></label>';
    const finder = '<input type="search" name="find_place" value="" data-find aria-label="Find a place">';
    const fieldset = `<fieldset data-filter="place"><legend>Place</legend>${finder}<div>${label}</div></fieldset>`;
    await open(FRESH, rows.html.replace("<fieldset", `${fieldset}<fieldset`));
    const box = screen.getByRole<HTMLInputElement>("searchbox", { name: "Find a place" });
    const withOptions = (...options: ReturnType<typeof option>[]) =>
      makeList("Ada", { filters: [{ ...team, name: "place", find: "Find a place", options }, ...FRESH.filters] });
    const hint = () => box.nextElementSibling?.textContent;
    fireEvent.input(box, { target: { value: "B" } });
    await pass(200);
    fireEvent.input(box, { target: { value: "Bé & " } });
    await pass(299);
    expect([calls.length, hint()]).toEqual([0, ""]);
    await pass(1);
    expect(calls.map(({ url }) => url)).toEqual([`${PATH}?find_place=B%C3%A9+%26`]);
    await answer(calls[0], withOptions({ ...option("2", "Be & Bo"), selected: false }));
    expect([filter("place", "1"), filter("place", "2")].map((each) => each.closest("label")?.hidden)).toEqual([
      true,
      false,
    ]);
    expect([hint(), getAnnouncement().textContent, address()]).toEqual(["", "", PATH]);
    fireEvent.input(box, { target: { value: "nowhere" } });
    await pass(300);
    await answer(calls[1], withOptions());
    expect(hint()).toBe("No matches.");
    fireEvent.input(box, { target: { value: "" } });
    await pass(300);
    expect([hint(), calls.length]).toEqual(["", 2]);
    tick("place", "2");
    await pass();
    expect(calls.map(({ url }) => url).slice(2)).toEqual([`${PATH}?place=2`]);
  });

  it("gets a filter that it lacks, in its place", async () => {
    await open();
    await goToPage(makeList("Bea", { filters: [team, ...FRESH.filters] }));
    const [first] = document.querySelectorAll<HTMLElement>(".filters [data-filter]");
    expect([first?.dataset.filter, filter("room", "t-9").checked]).toEqual(["room", true]);
  });

  it("carries a filter where it has none, and what else the answer carries", async () => {
    await open();
    section().querySelector(".filters")?.remove();
    await goToPage(makeList("Bea", { filters: [...FRESH.filters, team], hidden: [["size", "10"]] }));
    type("an");
    await pass(300);
    expect(calls[1]?.url).toBe(`${PATH}?size=10&room=t-9&keyword=an`);
  });

  it("says on the way back what the server's own page said", async () => {
    await open(error.list, error.html);
    type("ann@clinic.example");
    await pass(300);
    await answer(calls[0], makeList("Ann"));
    const region = within(screen.getByRole("search")).getByRole("status");
    expect(region.textContent).toBe("");
    history.replaceState(null, "", PATH);
    dispatchEvent(new PopStateEvent("popstate"));
    await pass(1);
    expect([box().value, region.textContent]).toEqual(["half", error.list.search.error]);
  });

  it("says why the server did not search", async () => {
    await open();
    await goToPage(makeList("", { rows: [], search: { ...FRESH.search, error: "Too short" } }));
    expect(within(screen.getByRole("search")).getByRole("status").textContent).toBe("Too short");
    expect(box().getAttribute("aria-invalid")).toBe("true");
  });
});

it("tells the page each time that other rows are drawn, and how to select them all", async () => {
  await open();
  const onRendered = vi.fn();
  document.addEventListener(PageEvent.ListRendered, onRendered);
  fireEvent.click(screen.getByRole("link", { name: "Next page" }));
  await pass();
  await answer(calls[0], makeList("Bea", { selection_query: "9?#:signed" }));
  document.removeEventListener(PageEvent.ListRendered, onRendered);
  expect(onRendered).toHaveBeenCalledOnce();
  expect(section().dataset.selectionQuery).toBe("9?#:signed");
});
