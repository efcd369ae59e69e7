// A page with actions that wait is not left before they are sent. A page that is lost has done nothing.

import { useRef } from "react";
import { useEvent } from "../../lib/use-event";

/** How long a link waits for the answers before it is followed. */
const LEAVE_MS = 3_000;

/** `finish` sends what waits; it resolves to whether all is done. What is refused is reported here, and the page stays. */
export function useLeaving(isWaiting: boolean, finish: () => Promise<boolean>): void {
  const isLeaving = useRef(false);

  async function leave(go: () => void): Promise<void> {
    const late = new Promise<boolean>((resolve) => setTimeout(resolve, LEAVE_MS, true));
    if (!(await Promise.race([finish(), late]))) return;
    isLeaving.current = true;
    go();
    // A download stays in the page.
    setTimeout(() => {
      isLeaving.current = false;
    }, LEAVE_MS);
  }

  useEvent(isWaiting ? window : null, "pagehide", () => void finish());
  useEvent(isWaiting ? document : null, "click", (event) => {
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[href]") : null;
    const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
    if (!link || !isPlain || event.defaultPrevented || link.target || isLeaving.current) return;
    // Without a fragment, a link to this page loads it again.
    const staysInPage = link.hash !== "" && link.href.split("#")[0] === location.href.split("#")[0];
    if (link.origin !== location.origin || staysInPage) return;
    event.preventDefault();
    void leave(() => location.assign(link.href));
  });
  const leaveByForm = (event: SubmitEvent) => {
    const form = event.target as HTMLFormElement;
    // The actions of rows (`act-`) stay in the page.
    if (form.method !== "post" || form.matches("[id^=act-]") || isLeaving.current) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    void leave(() => form.requestSubmit(event.submitter));
  };
  useEvent(isWaiting ? document : null, "submit", leaveByForm, true);
}
