// The users of a clinic: found while one types, sorted, filtered and paged without leaving the page.

import { useEffect, useRef } from "react";
import { DataTable } from "../../components/DataTable";
import type { Problem } from "../../components/Search";
import { gettext } from "../../lib/i18n";
import { useList } from "../../lib/use-list";
import type { UserListProps } from "../../types/props.gen";

export default function UserList({ list }: UserListProps) {
  const state = useList(list);
  const first = useRef(state.list);

  // The user beside the list (templates/groups/user_panel.html) belongs to the page as it was opened.
  useEffect(() => {
    if (state.list !== first.current) closePanel();
  }, [state.list]);

  return <DataTable state={state} check={checkKeyword} />;
}

function closePanel(): void {
  const beside = document.querySelector(".beside");
  beside?.classList.remove("beside");
  beside?.querySelector(":scope > aside")?.remove();
}

/** By email only a whole address can be found, so no half one is asked for (conformance VA-21). */
function checkKeyword(searchField: string, keyword: string): Problem | null {
  if (searchField !== "email" || !keyword || WHOLE_ADDRESS.test(keyword)) return null;
  return {
    hint: gettext("Type the whole email address."),
    error: gettext("Invalid %(label)s", { label: gettext("Email") }),
  };
}

/** Sees what is not finished yet; whether an address is valid, the server decides. */
const WHOLE_ADDRESS = /^[^\s@]+@[^\s@]+\.[^\s@.]{2,}$/;
