import { afterEach, beforeEach, expect, test, vi } from "vitest";

const html = document.documentElement;
const reload = vi.fn();

// A cookie jar that a test can disable, and that records what was written.
let jar: Map<string, string>;
let written: string[];
let cookiesAllowed: boolean;

beforeEach(() => {
  jar = new Map([["tz", Intl.DateTimeFormat().resolvedOptions().timeZone]]);
  written = [];
  cookiesAllowed = true;
  reload.mockClear();
  localStorage.clear();
  sessionStorage.clear();
  vi.spyOn(location, "reload").mockImplementation(reload);
  Object.defineProperty(document, "cookie", {
    configurable: true,
    get: () => [...jar].map(([name, value]) => `${name}=${value}`).join("; "),
    set: (text: string) => {
      written.push(text);
      const [name = "", value = ""] = (text.split(";")[0] ?? "").split("=");
      if (cookiesAllowed) jar.set(name, value);
    },
  });
});

afterEach(() => {
  Reflect.deleteProperty(document, "cookie");
  vi.unstubAllGlobals();
});

async function boot(lang: string, decidedBy?: string): Promise<void> {
  html.lang = lang;
  if (decidedBy) html.dataset.lngFrom = decidedBy;
  else delete html.dataset.lngFrom;
  vi.resetModules();
  await import("./lng-boot");
}

test("the page's language is cached in local storage and sent to the server [LN-26, LN-27, LN-28]", async () => {
  await boot("de-DE", "browser");

  expect(localStorage.getItem("i18nextLng")).toBe("de-DE");
  expect(jar.get("lng-storage")).toBe("de-DE");
  expect(reload).not.toHaveBeenCalled();
});

test("local storage wins over the browser's language, with a single reload [LN-24, LN-30]", async () => {
  localStorage.setItem("i18nextLng", "ko-KR");
  sessionStorage.setItem("i18nextLng", "it-IT");

  await boot("de-DE", "browser");
  expect(jar.get("lng-storage")).toBe("ko-KR.it-IT");
  expect(reload).toHaveBeenCalledTimes(1);
  expect(localStorage.getItem("i18nextLng")).toBe("ko-KR");

  await boot("ko-KR", "storage");
  expect(reload).toHaveBeenCalledTimes(1);
  expect(jar.get("lng-storage")).toBe("ko-KR");
});

test("session storage decides if local storage is empty, with a single reload [LN-25, LN-30]", async () => {
  sessionStorage.setItem("i18nextLng", "it-IT");

  await boot("en-US", "default");
  expect(jar.get("lng-storage")).toBe("it-IT");
  expect(reload).toHaveBeenCalledTimes(1);

  await boot("it-IT", "storage");
  expect(reload).toHaveBeenCalledTimes(1);
  expect(localStorage.getItem("i18nextLng")).toBe("it-IT");
});

test("a stored language is stored as the server spells it, with a single reload [LN-31]", async () => {
  localStorage.setItem("i18nextLng", "pt-br");

  await boot("de-DE", "browser");
  expect(jar.get("lng-storage")).toBe("pt-br");

  await boot("pt-BR", "storage");
  expect(reload).toHaveBeenCalledTimes(1);
  expect(localStorage.getItem("i18nextLng")).toBe("pt-BR");
});

test("a change of local storage counts at the next page", async () => {
  await boot("en-US", "browser");
  localStorage.setItem("i18nextLng", "ru-RU");

  await boot("en-US", "storage");
  expect(jar.get("lng-storage")).toBe("ru-RU");
  expect(reload).toHaveBeenCalledTimes(1);
});

test.each(["query", "cookie"])("the %s beats the storages, which then take its language [LN-28]", async (decidedBy) => {
  localStorage.setItem("i18nextLng", "ko-KR");

  await boot("fr-FR", decidedBy);

  expect(reload).not.toHaveBeenCalled();
  expect(localStorage.getItem("i18nextLng")).toBe("fr-FR");
});

test("the cookie is not mirrored, or it would outlive its deletion", async () => {
  await boot("fr-FR", "cookie");

  expect(jar.has("lng-storage")).toBe(false);
});

test("a language that the server does not support leads to one reload, and is forgotten [LN-31]", async () => {
  localStorage.setItem("i18nextLng", "xx-XX");

  await boot("vi-VN", "browser");
  await boot("vi-VN", "browser");

  expect(reload).toHaveBeenCalledTimes(1);
  expect(localStorage.getItem("i18nextLng")).toBe("vi-VN");
  expect(jar.get("lng-storage")).toBe("vi-VN");
});

test("a language that the server does not support hides none in session storage, and is forgotten [LN-25, LN-31]", async () => {
  localStorage.setItem("i18nextLng", "xx-XX");
  sessionStorage.setItem("i18nextLng", "it-IT");

  await boot("vi-VN", "browser");
  expect(jar.get("lng-storage")).toBe("xx-XX.it-IT");

  await boot("it-IT", "storage");
  await boot("it-IT", "storage");
  expect(reload).toHaveBeenCalledTimes(1);
  expect(localStorage.getItem("i18nextLng")).toBe("it-IT");
  expect(jar.get("lng-storage")).toBe("it-IT");
});

test("the answer to a POST is never reloaded", async () => {
  localStorage.setItem("i18nextLng", "ko-KR");

  await boot("de-DE");

  expect(reload).not.toHaveBeenCalled();
  expect(jar.has("lng-storage")).toBe(false);
});

test("without cookies there is no reload, which would loop [LN-30]", async () => {
  cookiesAllowed = false;
  localStorage.setItem("i18nextLng", "ko-KR");

  await boot("de-DE", "browser");

  expect(reload).not.toHaveBeenCalled();
});

test("without storage the page stays as it is", async () => {
  const off = {
    getItem: () => {
      throw new DOMException("denied", "SecurityError");
    },
    setItem: () => {
      throw new DOMException("denied", "SecurityError");
    },
  };
  vi.stubGlobal("localStorage", off);
  vi.stubGlobal("sessionStorage", off);

  await boot("de-DE", "browser");

  expect(reload).not.toHaveBeenCalled();
  expect(jar.get("lng-storage")).toBe("de-DE");
});

test.each(['"><script>', "ko; path=/x", "k", "a".repeat(36)])(
  "a stored value like %s never gets into a cookie",
  async (value) => {
    localStorage.setItem("i18nextLng", value);

    await boot("de-DE", "browser");

    expect(written.join()).not.toContain(value);
    expect(reload).not.toHaveBeenCalled();
  },
);

test("the time zone is sent once, and again only when it changes", async () => {
  jar.clear();
  await boot("de-DE", "cookie");
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  expect(written).toEqual([`tz=${zone}; path=/; max-age=31536000; samesite=lax`]);

  await boot("de-DE", "cookie");
  expect(written).toHaveLength(1);
});

test("cookies are Secure over https", async () => {
  vi.stubGlobal("location", { protocol: "https:", reload });

  await boot("de-DE", "browser");

  expect(written).toEqual(["lng-storage=de-DE; path=/; max-age=31536000; samesite=lax; secure"]);
});
