import { beforeEach, expect, test, vi } from "vitest";

const html = document.documentElement;

beforeEach(() => {
  html.lang = "en-US";
  delete html.dataset.i18n;
  vi.unstubAllGlobals();
  vi.resetModules();
});

/** The functions of a page in this language, with these texts from the server. */
async function page(lang: string, texts: Record<string, string>) {
  html.lang = lang;
  html.dataset.i18n = `/i18n/${lang}/0.json`;
  const answer = () =>
    Promise.resolve(new Response(JSON.stringify(texts), { headers: { "Content-Type": "application/json" } }));
  const fetched = vi.fn(answer);
  vi.stubGlobal("fetch", fetched);
  const i18n = await import("./i18n");
  await i18n.ready;
  expect(fetched.mock.calls.map(([url]: unknown[]) => url)).toEqual([`/i18n/${lang}/0.json`]);
  return i18n;
}

test.each(["de-DE", "de-de"])(
  "texts come from the address in the page, however its language %s is spelt",
  async (lang) => {
    const { gettext } = await page(lang, { Save: "Speichern", "a.b:c": "Punkt" });

    expect(gettext("Save")).toBe("Speichern");
    expect(gettext("a.b:c")).toBe("Punkt");
  },
);

test("a text without translation is the English one", async () => {
  const { gettext, ngettext, pgettext, npgettext } = await page("ru-RU", { Open: "Открыто" });

  expect(gettext("Hello, %(name)s!", { name: "Zoë" })).toBe("Hello, Zoë!");
  expect(pgettext("verb", "Open")).toBe("Open");
  expect([1, 2, 21].map((n) => ngettext("%(count)s file", "%(count)s files", n))).toEqual([
    "1 file",
    "2 files",
    "21 files",
  ]);
  expect(npgettext("left", "%(count)s file", "%(count)s files", 5)).toBe("5 files");
});

test("the plural follows the rule of the page's language", async () => {
  const { ngettext, npgettext } = await page("pl-PL", {
    "%(count)s file\u0005one": "plik",
    "%(count)s file\u0005few": "%(count)s pliki",
    "%(count)s file\u0005many": "%(count)s plików",
    "%(count)s file\u0005other": "%(count)s pliki",
    "%(count)s file\u0004left\u0005few": "zostały %(count)s",
  });

  const words = [1, 2, 5, 22].map((n) => ngettext("%(count)s file", "%(count)s files", n));
  expect(words).toEqual(["plik", "2 pliki", "5 plików", "22 pliki"]);
  expect(npgettext("left", "%(count)s file", "%(count)s files", 3)).toBe("zostały 3");
});

test("a context has its own text", async () => {
  const { gettext, pgettext } = await page("de-DE", { Open: "Offen", "Open\u0004verb": "Öffnen" });

  expect([gettext("Open"), pgettext("verb", "Open"), pgettext("state", "Open")]).toEqual(["Offen", "Öffnen", "Open"]);
});

test("variables are inserted unchanged", async () => {
  const { gettext } = await page("de-DE", { "Hello, %(name)s!": "Hallo, %(name)s!", Save: "Speichern" });

  for (const name of ["%(name)s", "$t(Save)", "$& $1", "<b>", "{{x}}", ""]) {
    expect(gettext("Hello, %(name)s!", { name })).toBe(`Hallo, ${name}!`);
  }
});

test("variables may have any name", async () => {
  const { ngettext } = await page("de-DE", {});

  const names = { context: "a", lng: "fr", defaultValue: "b", ns: "c" };
  expect(ngettext("%(context)s", "%(context)s %(lng)s %(defaultValue)s %(ns)s %(count)s", 2, names)).toBe("a fr b c 2");
});

test("texts that can't be loaded are an error, so that no island mounts half translated", async () => {
  html.dataset.i18n = "/i18n/de-DE/0.json";
  vi.stubGlobal("fetch", () => Promise.resolve(new Response("", { status: 502 })));

  const { ready } = await import("./i18n");

  await expect(ready).rejects.toThrow();
});
