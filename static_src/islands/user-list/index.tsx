// The users of a clinic, or of all: searched while typing, sorted, filtered and paged without leaving the page.

import { useEffect } from "react";
import { DataTable } from "../../components/DataTable";
import type { Problem } from "../../components/Search";
import { gettext, inSentence } from "../../lib/i18n";
import { fitPanel, servePanel } from "../../lib/panel";
import { useList } from "../../lib/use-list";
import type { UserListProps } from "../../types/props.gen";

export default function UserList({ list }: UserListProps) {
  const state = useList(list);

  useEffect(servePanel, []);
  // After each render: the address and the rows may have changed.
  useEffect(fitPanel);

  return <DataTable state={state} check={checkKeyword} />;
}

/** A search by email finds complete addresses only, so incomplete ones are not sent (conformance VA-21). */
function checkKeyword(searchField: string, keyword: string): Problem | null {
  if (searchField !== "email" || !keyword || WHOLE_ADDRESS.test(keyword)) return null;
  return {
    hint: gettext("Enter a complete email address."),
    error: gettext("Invalid %(label)s", { label: inSentence(gettext("Email")) }),
  };
}

/** Detects incomplete addresses; the server decides whether an address is valid. */
const WHOLE_ADDRESS = /^[^\s@]+@[^\s@]+\.[^\s@.]{2,}$/;
