// Sorts names as each language does. Reads { tag: { code: name } }, prints { tag: [code…] }; run by `manage.py orders`.

import { readFileSync } from "node:fs";

function sorted([tag, names]) {
  const { compare } = new Intl.Collator(tag);
  // Two names may be the same to the language; their codes keep them where they are.
  const inOrder = Object.entries(names).sort(([a, one], [b, other]) => compare(one, other) || (a < b ? -1 : 1));
  return [tag, inOrder.map(([code]) => code)];
}

const given = JSON.parse(readFileSync(0, "utf8"));
process.stdout.write(JSON.stringify(Object.fromEntries(Object.entries(given).map(sorted))));
