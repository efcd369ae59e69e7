// Names of the events by which parts of a page that do not know one another speak. An enum, because the build writes its
// values in place: a chunk of thirty bytes would be one more request.

export enum PageEvent {
  /** Told on the document when a call is refused because the session has ended; its detail takes whether to go on. */
  SessionEnded = "console:session-ended",
}
