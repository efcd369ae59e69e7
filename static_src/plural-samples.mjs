// Writes console/i18n/plural_samples.json: for each language, one integer of each CLDR plural category.
// Run it when the table of languages or Node's Unicode data changes: node static_src/plural-samples.mjs [--print] TAG…

import { writeFileSync } from "node:fs";

const tags = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
const numbers = [...Array(201).keys(), 1_000_000, 2_000_000];

function samples(tag) {
  const rules = new Intl.PluralRules(tag);
  return Object.fromEntries(
    rules
      .resolvedOptions()
      .pluralCategories.toSorted()
      .map((category) => {
        const whole = numbers.filter((number) => rules.select(number) === category);
        // Not 1 if there is another one, so that the samples reveal a rule that differs from the English one.
        // A category that only has fractions gets 2: counts are integers here.
        return [category, whole.find((number) => number !== 1) ?? whole[0] ?? 2];
      }),
  );
}

const text = `${JSON.stringify(Object.fromEntries(tags.map((tag) => [tag, samples(tag)])), null, 2)}\n`;
if (process.argv.includes("--print")) process.stdout.write(text);
else writeFileSync(new URL("../console/i18n/plural_samples.json", import.meta.url), text);
