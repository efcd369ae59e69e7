// Test files share one environment per worker: each begins with fresh modules, and leaves no trace in the page.
import { afterAll, vi } from "vitest";

vi.resetModules();

const listeners: [EventTarget, Parameters<EventTarget["addEventListener"]>][] = [];
const targets: EventTarget[] = [window, document, document.documentElement, document.body];
const originals = targets.map((target) => target.addEventListener);
for (const [index, target] of targets.entries()) {
  target.addEventListener = (...args) => {
    listeners.push([target, args]);
    originals[index]?.apply(target, args);
  };
}

afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  for (const [target, [type, listener, options]] of listeners) target.removeEventListener(type, listener, options);
  for (const [index, target] of targets.entries())
    target.addEventListener = originals[index] as typeof target.addEventListener;
  for (const element of [document.documentElement, document.head, document.body]) {
    for (const { name } of [...element.attributes]) element.removeAttribute(name);
  }
  document.head.replaceChildren();
  document.body.replaceChildren();
  localStorage.clear();
  sessionStorage.clear();
  history.replaceState(null, "", "/");
});
