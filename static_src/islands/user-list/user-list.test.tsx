import { act, cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import picture from "../../components/fixtures/middle.json";
import severalValues from "../../components/fixtures/several-values.json";
import { createQueryClient, QueryClientProvider } from "../../lib/query";
import { type Call, done, fakeServer, refused } from "../../testing/server";
import type { ListView } from "../../types/props.gen";
import UserList from "./index";

const PATH = "/user-manage/clinic/c-1/user";
const FIRST = picture.list as unknown as ListView;

let calls: Call[];

beforeEach(() => {
  vi.useFakeTimers();
  calls = fakeServer();
  history.replaceState(null, "", PATH);
});

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** The initial list of the page: no keyword, no filter. */
const FRESH = listOf("Ada");

function listOf(name: string, change: Partial<ListView> = {}): ListView {
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

function open(list = FRESH) {
  const client = createQueryClient();
  const page = () => (
    <QueryClientProvider client={client}>
      <UserList list={list} />
    </QueryClientProvider>
  );
  return { client, page, ...render(page()) };
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

async function answer(call: Call | undefined, list: ListView) {
  call?.answer(done({ list }));
  await pass(1);
}

function shown() {
  return screen.getAllByRole("rowheader").map((cell) => cell.querySelector("bdi")?.textContent);
}

/** The live region below the rows; the search form has its own. */
function rowsTold() {
  const [region] = screen.getAllByRole("status").filter((found) => found.querySelector(".list-status"));
  if (!region) throw new Error("the list tells nothing");
  return region;
}

function address() {
  return location.pathname + location.search;
}

describe("searching while typing", () => {
  it("makes no call at the start", async () => {
    open();
    await pass(60_000);
    expect(calls).toEqual([]);
    expect(shown()).toEqual(["Ada"]);
  });

  it("waits until 300 ms after typing, then makes one call [CO-18]", async () => {
    open();
    type("a");
    await pass(299);
    type("an");
    await pass(299);
    expect(calls).toHaveLength(0);
    await pass(1);
    expect(calls.map((call) => call.url)).toEqual([`${PATH}?searchField=all&keyword=an`]);
    expect(calls[0]?.headers.get("Accept")).toBe("application/json");
  });

  it("searches immediately on Enter, and not again after the delay [CO-18]", async () => {
    open();
    type("an");
    fireEvent.submit(screen.getByRole("search"));
    await pass(0);
    expect(calls).toHaveLength(1);
    await pass(1000);
    expect(calls).toHaveLength(1);
  });

  it("keeps the address up to date without a history entry for each letter [RT-41]", async () => {
    open();
    const steps = history.length;
    type("an");
    await pass(300);
    expect(address()).toBe(`${PATH}?searchField=all&keyword=an`);
    expect(history.length).toBe(steps);
  });

  it("keeps the focus and what is being typed when the rows arrive", async () => {
    open();
    box().focus();
    type("an");
    await pass(300);
    type("ann");
    await answer(calls[0], listOf("Ann", { search: { ...FRESH.search, keyword: "an" } }));
    expect(box().value).toBe("ann");
    expect(document.activeElement).toBe(box());
  });

  it("never lets a late answer win", async () => {
    open();
    type("a");
    await pass(300);
    type("an");
    await pass(300);
    await answer(calls[1], listOf("Ann"));
    expect(calls[0]?.gaveUp).toBe(true);
    await answer(calls[0], listOf("Alf"));
    expect(shown()).toEqual(["Ann"]);
  });

  it("keeps sort and size, and goes to page 1 [LS-02, DM-08]", async () => {
    history.replaceState(null, "", `${PATH}?sort=status&order=desc&page=3`);
    open(
      listOf("Ada", {
        hidden: [
          ["sort", "status"],
          ["order", "desc"],
        ],
      }),
    );
    type("an");
    await pass(300);
    expect(calls[0]?.url).toBe(`${PATH}?sort=status&order=desc&searchField=all&keyword=an`);
  });

  it("says how many rows there are in a polite region [LS-05]", async () => {
    open();
    type("an");
    await pass(300);
    const region = rowsTold();
    await answer(calls[0], listOf("Ann"));
    expect(rowsTold()).toBe(region);
    expect(region.querySelector(".list-status")?.textContent).toBe("1 to 1 of 1 (Ann)");
  });

  it("announces the rows and their order in the same region [LS-05, AX-08]", async () => {
    open();
    const region = rowsTold();
    expect(region.textContent).toContain("Users of Clinic 1, sorted by Status, descending");
    fireEvent.click(screen.getByRole("link", { name: "Name" }));
    await pass();
    await answer(calls[0], { ...FRESH, sorting: "Users of Clinic 1, sorted by Name, ascending" });
    expect(rowsTold()).toBe(region);
    expect(region.textContent).toContain("Users of Clinic 1, sorted by Name, ascending");
  });
});

describe("searching by email", () => {
  function byEmail() {
    open();
    fireEvent.change(screen.getByRole("combobox", { name: "Search in" }), { target: { value: "email" } });
  }

  it("makes no call for an incomplete address, and shows no error while typing [VA-21]", async () => {
    byEmail();
    type("ann@clinic");
    await pass(1000);
    expect(calls).toEqual([]);
    expect(box().getAttribute("aria-invalid")).toBeNull();
    expect(screen.getByText("Enter a complete email address.")).toBeTruthy();
  });

  it("says what is missing in an existing live region, and links it to the box [VA-21, AX-08]", async () => {
    byEmail();
    const region = within(screen.getByRole("search")).getByRole("status");
    expect(region.textContent).toBe("");
    type("ann@clinic");
    expect(region.textContent).toBe("Enter a complete email address.");
    expect(document.getElementById(box().getAttribute("aria-describedby") ?? "")?.textContent).toBe(region.textContent);
    fireEvent.blur(box());
    expect(region.textContent).toBe("Invalid email");
  });

  it("shows the error once the field is left [VA-21]", async () => {
    byEmail();
    type("ann@clinic");
    fireEvent.blur(box());
    expect(box().getAttribute("aria-invalid")).toBe("true");
    const described = box().getAttribute("aria-describedby") ?? "";
    expect(document.getElementById(described)?.textContent).toBe("Invalid email");
  });

  it("shows the error on Enter, without a call [VA-21]", async () => {
    byEmail();
    type("ann");
    fireEvent.submit(screen.getByRole("search"));
    await pass(1000);
    expect(calls).toEqual([]);
    expect(screen.getByText("Invalid email")).toBeTruthy();
  });

  it("searches for a complete address [VA-21]", async () => {
    byEmail();
    type("ann@clinic.example");
    await pass(300);
    expect(calls[0]?.url).toBe(`${PATH}?searchField=email&keyword=ann%40clinic.example`);
  });

  it("drops the pending call when the keyword is no longer an address", async () => {
    byEmail();
    type("ann@clinic.example");
    await pass(200);
    type("ann@");
    await pass(1000);
    expect(calls).toEqual([]);
  });
});

describe("links of the list", () => {
  it("reads the next page in place and adds a history entry [RT-41]", async () => {
    open();
    const steps = history.length;
    fireEvent.click(screen.getByRole("link", { name: "Next page" }));
    await pass();
    expect(calls[0]?.url).toBe(FIRST.pager.next_href);
    expect(address()).toBe(FIRST.pager.next_href);
    expect(history.length).toBe(steps + 1);
  });

  it("keeps the old rows, marked busy, until the new ones arrive", async () => {
    open();
    fireEvent.click(screen.getByRole("link", { name: "Next page" }));
    await pass(1000);
    expect(shown()).toEqual(["Ada"]);
    expect(document.querySelector(".list")?.getAttribute("aria-busy")).toBe("true");
    await answer(calls[0], listOf("Bea"));
    expect(shown()).toEqual(["Bea"]);
    expect(document.querySelector(".list")?.hasAttribute("aria-busy")).toBe(false);
  });

  it("moves the focus to the rows after a change of page", async () => {
    open();
    const next = screen.getByRole("link", { name: "Next page" });
    next.focus();
    fireEvent.click(next);
    await pass();
    expect(document.activeElement).toBe(next);
    await answer(calls[0], listOf("Bea"));
    expect(document.activeElement?.getAttribute("role")).toBe("region");
  });

  it("leaves the checkbox in the table header to the script that controls it [LS-07]", async () => {
    open();
    const head = document.querySelector<HTMLInputElement>("thead input[data-select=page]");
    if (!head) throw new Error("no box in the head");
    expect([head.hidden, head.getAttribute("aria-label")]).toEqual([true, "Select this page"]);
    head.hidden = false;
    head.checked = true;
    fireEvent.click(screen.getByRole("link", { name: "Next page" }));
    await pass();
    await answer(calls[0], listOf("Bea"));
    expect(head.isConnected).toBe(true);
    expect([head.hidden, head.checked]).toEqual([false, true]);
  });

  it("leaves the focus on a column header after sorting", async () => {
    open();
    const head = screen.getByRole("link", { name: "Name" });
    head.focus();
    fireEvent.click(head);
    await pass();
    await answer(calls[0], listOf("Bea"));
    expect(document.activeElement).toBe(head);
  });

  it.each([{ ctrlKey: true }, { metaKey: true }, { shiftKey: true }, { button: 1 }])(
    "leaves %o to the browser",
    async (how) => {
      open();
      const left = fireEvent.click(screen.getByRole("link", { name: "Next page" }), how);
      await pass();
      expect(left).toBe(true);
      expect(calls).toEqual([]);
    },
  );

  it("leaves links to other pages to the browser", async () => {
    open();
    const left = fireEvent.click(within(screen.getByRole("rowheader")).getByRole("link"));
    await pass();
    expect(left).toBe(true);
    expect(calls).toEqual([]);
  });

  it("searches immediately when a filter is chosen", async () => {
    open();
    fireEvent.change(screen.getByRole("combobox", { name: "Status" }), { target: { value: "INVITED" } });
    await pass();
    expect(calls[0]?.url).toBe(`${PATH}?searchField=all&status=INVITED`);
  });

  it("keeps the other values of a filter until they are removed [DM-07]", async () => {
    open(severalValues.list as unknown as ListView);
    fireEvent.change(screen.getByRole("combobox", { name: "Team" }), { target: { value: "" } });
    await pass();
    expect(calls[0]?.url).toBe(`${PATH}?status=INVITED&sort=status&order=asc&searchField=all&status=ACTIVE`);
  });

  it("goes from page 3 to page 1 when a filter or a page size is chosen [LS-02, DM-08]", async () => {
    history.replaceState(null, "", `${PATH}?page=3`);
    open();
    fireEvent.change(screen.getByRole("combobox", { name: "Status" }), { target: { value: "INVITED" } });
    await pass();
    await answer(calls[0], FRESH);
    fireEvent.click(screen.getByRole("link", { name: "100 rows per page" }));
    await pass();
    expect(calls.map(({ url }) => new URL(url, "http://x").searchParams.get("page"))).toEqual([null, null]);
    expect(calls[1]?.url).toContain("size=100");
  });

  it("moves the focus to the search box when there are no rows", async () => {
    open();
    fireEvent.click(screen.getByRole("link", { name: "Next page" }));
    await pass();
    await answer(calls[0], listOf("", { rows: [] }));
    expect(document.activeElement).toBe(box());
  });
});

describe("back and forward", () => {
  async function goBack() {
    history.back();
    await pass(10);
    dispatchEvent(new PopStateEvent("popstate"));
    await pass(1);
  }

  it("shows the previous rows immediately, with their search [RT-41]", async () => {
    open();
    fireEvent.change(screen.getByRole("combobox", { name: "Status" }), { target: { value: "INVITED" } });
    await pass();
    await answer(calls[0], listOf("Bea"));
    history.replaceState(null, "", PATH); // happy-dom keeps no entries to go back to
    await goBack();
    expect(shown()).toEqual(["Ada"]);
    expect(screen.getByRole<HTMLSelectElement>("combobox", { name: "Status" }).value).toBe("");
  });

  it("puts the keyword of the address into the box [RT-41]", async () => {
    open();
    type("ann");
    await pass(300);
    await answer(calls[0], listOf("Ann", { search: { ...FRESH.search, keyword: "ann" } }));
    history.replaceState(null, "", PATH);
    await goBack();
    expect(box().value).toBe("");
  });
});

describe("what goes wrong", () => {
  it("says so in place, keeps the rows and tries again on request [LS-14]", async () => {
    open();
    fireEvent.click(screen.getByRole("link", { name: "Next page" }));
    await pass();
    calls[0]?.answer(refused("The service does not answer."), 502);
    await pass(1);
    expect(within(screen.getByRole("alert")).getByText("The service does not answer.")).toBeTruthy();
    expect(shown()).toEqual(["Ada"]);

    fireEvent.click(screen.getByRole("button", { name: "Try again" }));
    await pass();
    expect(calls).toHaveLength(2);
    await answer(calls[1], listOf("Bea"));
    expect(screen.queryByRole("alert")).toBeNull();
    expect(shown()).toEqual(["Bea"]);
  });

  it("moves the focus to the error, right before the retry button [AX-02]", async () => {
    open();
    const next = screen.getByRole("link", { name: "Next page" });
    next.focus();
    fireEvent.click(next);
    await pass();
    calls[0]?.answer(refused("The service does not answer."), 502);
    await pass(1);
    const alert = screen.getByRole("alert");
    expect(document.activeElement).toBe(alert);
    expect(alert.querySelector("a[href], button")).toBe(screen.getByRole("button", { name: "Try again" }));
  });

  it("makes exactly one call, whatever the answer [ST-51, CO-11]", async () => {
    open();
    fireEvent.click(screen.getByRole("link", { name: "Next page" }));
    await pass();
    calls[0]?.answer(refused("No."), 500);
    await pass(120_000);
    expect(calls).toHaveLength(1);
  });

  it("says that the console can't be reached if no answer comes", async () => {
    open();
    fireEvent.click(screen.getByRole("link", { name: "Next page" }));
    await pass();
    calls[0]?.breakOff();
    await pass(1);
    expect(screen.getByRole("alert").textContent).toContain("could not be reached");
  });
});

describe("cached rows", () => {
  it("are not read again when the window gets the focus [ST-48]", async () => {
    open();
    document.dispatchEvent(new Event("visibilitychange"));
    dispatchEvent(new Event("focus"));
    await pass(1000);
    expect(calls).toEqual([]);
  });

  it("are not read again when the list is mounted again [ST-49]", async () => {
    const { page, rerender } = open();
    rerender(<p>elsewhere</p>);
    rerender(page());
    await pass(1000);
    expect(shown()).toEqual(["Ada"]);
    expect(calls).toEqual([]);
  });

  it("are read again, once, when the connection is back [ST-50]", async () => {
    open();
    dispatchEvent(new Event("offline"));
    await pass(1);
    dispatchEvent(new Event("online"));
    await pass(1000);
    expect(calls.map((call) => call.url)).toEqual([PATH]);
    await answer(calls[0], listOf("Bea"));
    expect(shown()).toEqual(["Bea"]);
  });

  it("leave what is being typed alone when they are read again", async () => {
    open();
    type("half a na");
    dispatchEvent(new Event("offline"));
    dispatchEvent(new Event("online"));
    await pass(1);
    await answer(calls[0], listOf("Bea"));
    expect(box().value).toBe("half a na");
  });
});
