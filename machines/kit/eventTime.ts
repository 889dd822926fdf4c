interface Created {
  /** Epoch ms. */
  createdAt: number;
}

/**
 * Epoch ms of an event. The first step of an actor comes before any event: it happens at the
 * actor's creation.
 */
export const timeOf = ({ createdAt }: Created, event: { at?: number }): number =>
  event.at ?? createdAt;

/** The last time that was written: all of one commit happens at the same time. */
let last = { at: 0, text: new Date(0).toISOString() };

/** ISO time of an event; see {@link timeOf}. */
export function isoTime(context: Created, event: { at?: number }): string {
  const at = timeOf(context, event);
  if (at !== last.at) last = { at, text: new Date(at).toISOString() };
  return last.text;
}
