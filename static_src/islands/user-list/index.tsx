// The users of a clinic, or of all: found while one types, sorted, filtered and paged without leaving the page.

import { useEffect } from "react";
import { DataTable } from "../../components/DataTable";
import type { Problem } from "../../components/Search";
import { gettext } from "../../lib/i18n";
import { fitPanel, servePanel } from "../../lib/panel";
import { useList } from "../../lib/use-list";
import type { UserListProps } from "../../types/props.gen";

export default function UserList({ list }: UserListProps) {
  const state = useList(list);

  useEffect(servePanel, []);
  // After each drawing: the address may be another one, and the rows as well.
  useEffect(fitPanel);

  return <DataTable state={state} check={checkKeyword} />;
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
