// Names of the events by which parts of a page that do not know one another speak.

/** Told on the document when a call is refused because the session has ended; its detail takes whether to go on. */
export const SESSION_ENDED = "console:session-ended";
