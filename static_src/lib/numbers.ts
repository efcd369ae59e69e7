// The numbers that only the browser knows, written as the server writes all others (console/l10n/numbers.py).

export function numberText(count: number): string {
  return new Intl.NumberFormat(`${document.documentElement.lang || "en-US"}-u-nu-latn`).format(count);
}
