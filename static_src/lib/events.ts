// Names of the events with which independent parts of a page communicate. An enum, because the build inlines its
// values: a chunk of thirty bytes would be an additional request.

export enum PageEvent {
  /** Dispatched on the document when a call is refused because the session has ended; its detail receives the outcome. */
  SessionEnded = "console:session-ended",
  /** Dispatched on the document to show a toast; its detail is the toast. */
  Toast = "console:toast",
  /** Dispatched on the document after a list has drawn the rows of another address. */
  ListRendered = "console:list-drawn",
}
