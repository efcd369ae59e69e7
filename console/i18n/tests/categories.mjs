// Prints for each tag the plural categories of 0 to 10,000 and some large numbers, as Intl.PluralRules has them.
const numbers = [...Array(10_001).keys(), 1_000_000, 1_000_001, 2_000_000];

function categories(tag) {
  const rules = new Intl.PluralRules(tag);
  return numbers.map((number) => rules.select(number));
}

const tags = process.argv.slice(2);
const answer = { numbers, categories: Object.fromEntries(tags.map((tag) => [tag, categories(tag)])) };
process.stdout.write(JSON.stringify(answer));
