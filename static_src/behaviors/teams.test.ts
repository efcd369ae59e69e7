import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { fakeServer } from "../testing/server";
import { initTeamChoices } from "./teams";

const TEAMS = [
  ["", "None"],
  ["t-5", "Team 5"],
];

beforeEach(() => {
  document.body.innerHTML = `<form data-teams action="/move"><input type="hidden" name="teams_of" value="g-1">
    <select name="clinic_id"><option value="g-1">One</option><option value="g-2">Two</option></select>
    <p><button name="show_teams" data-show-teams></button><span role="status"></span></p>
    <select name="row-0-team_id"><option value="">None</option><option value="t-1" selected>Team 1</option></select></form>`;
  initTeamChoices();
});

afterEach(() => vi.unstubAllGlobals());

test("another clinic offers its teams at once, and says so [UC-06]", async () => {
  const calls = fakeServer();
  const teamChanged = vi.fn();
  one("[name=row-0-team_id]").addEventListener("change", teamChanged);
  choose("g-2");
  const body = calls[0]?.body as FormData;
  expect([body.get("show_teams"), body.get("clinic_id")]).toEqual(["1", "g-2"]);
  calls[0]?.answer({ ok: true, message: "Choose a team of Two.", item: TEAMS });
  await vi.waitFor(() => expect(one("[role=status]").textContent).toBe("Choose a team of Two."));
  expect(one("button").dataset.failed).toBeUndefined();
  const team = one<HTMLSelectElement>("[name=row-0-team_id]");
  expect([...team.options].map((option) => [option.value, option.text])).toEqual(TEAMS);
  expect(team.value).toBe("");
  expect(teamChanged).toHaveBeenCalledOnce();
  expect(one<HTMLInputElement>("[name=teams_of]").value).toBe("g-2");
});

test("where that fails, the button is there again and nothing else has changed", async () => {
  const calls = fakeServer();
  choose("g-2");
  calls[0]?.breakOff();
  await vi.waitFor(() => expect(one("button").dataset.failed).toBe(""));
  expect(one<HTMLInputElement>("[name=teams_of]").value).toBe("g-1");
  expect(one<HTMLSelectElement>("[name=row-0-team_id]").value).toBe("t-1");
});

test("an answer for a clinic that is no longer the chosen one changes nothing", async () => {
  const calls = fakeServer();
  choose("g-2");
  choose("g-1");
  calls[1]?.answer({ ok: true, message: "Choose a team of One.", item: [["", "None"]] });
  calls[0]?.answer({ ok: true, message: "Choose a team of Two.", item: TEAMS });
  await vi.waitFor(() => expect(one("[role=status]").textContent).toBe("Choose a team of One."));
  await vi.waitFor(() => expect(one<HTMLInputElement>("[name=teams_of]").value).toBe("g-1"));
  expect(one<HTMLSelectElement>("[name=row-0-team_id]").options).toHaveLength(1);
});

test("what was chosen before the script came is offered its teams, too", async () => {
  const calls = fakeServer();
  initTeamChoices();
  expect(calls).toHaveLength(0);
  one<HTMLSelectElement>("[name=clinic_id]").value = "g-2";
  initTeamChoices();
  const body = calls[0]?.body as FormData;
  expect(body.get("clinic_id")).toBe("g-2");
});

function choose(clinic: string): void {
  one<HTMLSelectElement>("[name=clinic_id]").value = clinic;
  one("[name=clinic_id]").dispatchEvent(new Event("change", { bubbles: true }));
}

function one<T extends HTMLElement>(selector: string): T {
  return document.querySelector(selector) as T;
}
