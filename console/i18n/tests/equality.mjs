// Reads {tag: {texts, cases: [[function, arguments, Django's text], …]}} and prints the cases in which lib/i18n.ts says
// something else. Argument: the bundle of lib/i18n.ts; each tag gets an instance of its own.
import { readFileSync } from "node:fs";

globalThis.document = { documentElement: { lang: "", dataset: {} } };
const different = [];
let compared = 0;
for (const [tag, { texts, cases }] of Object.entries(JSON.parse(readFileSync(0, "utf8")))) {
  const i18n = await import(`${process.argv[2]}?${tag}`);
  await i18n.ready;
  await i18n.start(tag, texts);
  for (const [name, args, expected] of cases) {
    compared += 1;
    const text = i18n[name](...args);
    if (text !== expected) different.push({ tag, name, args, expected, text });
  }
}
process.stdout.write(JSON.stringify({ compared, different }));
