// What became of the actions of rows: which are sent, which wait, and why one was not done.

export interface RowAction {
  readonly url: string;
  /** The id of the menu of its row. */
  readonly menu: string;
  /** The name of its row. */
  readonly name: string;
  /** What its row says before it is sent, of one that can't be reversed; else empty. */
  readonly progress: string;
}

export interface RowProblem {
  readonly menu: string;
  readonly name: string;
  readonly text: string;
}

/** An action that can still be undone, until it is sent; then it stays in its row until that is drawn again. */
export interface WaitingAction extends RowAction {
  readonly stage: "waiting" | "sent" | "done";
}

export interface RowActionsState {
  /** The addresses of the actions that are not answered yet. */
  readonly sent: readonly string[];
  readonly problems: readonly RowProblem[];
  readonly waiting: readonly WaitingAction[];
}

export const NO_ACTIONS: RowActionsState = { sent: [], problems: [], waiting: [] };

type Change =
  | { readonly type: "wait" | "send"; readonly action: RowAction }
  | { readonly type: "answer"; readonly action: RowAction; readonly problem: string }
  | { readonly type: "stage"; readonly menu: string; readonly stage: "sent" | "done" | "undone" }
  | { readonly type: "draw"; readonly missing: readonly string[] }
  | { readonly type: "leave" };

export function reduceRowActions(state: RowActionsState, change: Change): RowActionsState {
  const problemsWithout = (menu: string) => state.problems.filter((problem) => problem.menu !== menu);
  switch (change.type) {
    case "wait": {
      const { action } = change;
      const waiting: WaitingAction[] = [...state.waiting, { ...action, stage: "waiting" }];
      return { ...state, problems: problemsWithout(action.menu), waiting };
    }
    case "send":
      return { ...state, sent: [...state.sent, change.action.url], problems: problemsWithout(change.action.menu) };
    case "answer": {
      const { url, menu, name } = change.action;
      const problems = change.problem ? [{ menu, name, text: change.problem }] : [];
      return {
        ...state,
        sent: state.sent.filter((other) => other !== url),
        problems: [...problemsWithout(menu), ...problems],
      };
    }
    case "stage": {
      const { menu, stage } = change;
      const waiting = state.waiting.flatMap((action) => {
        if (action.menu !== menu) return [action];
        return stage === "undone" ? [] : [{ ...action, stage }];
      });
      return { ...state, waiting };
    }
    case "draw":
      return {
        ...state,
        problems: state.problems.filter(({ menu }) => !change.missing.includes(menu)),
        waiting: state.waiting.filter(({ stage }) => stage !== "done"),
      };
    case "leave":
      return { ...state, problems: [] };
  }
}
