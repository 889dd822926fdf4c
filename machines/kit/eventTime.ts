interface CreatedActor {
  /** Epoch ms. */
  createdAt: number;
}

/**
 * Epoch ms of an event. The first step of an actor comes before any event: it happens at the
 * actor's creation.
 */
export const toEventTime = ({ createdAt }: CreatedActor, event: { at?: number }): number =>
  event.at ?? createdAt;

/** The last time that was written: all of one commit happens at the same time. */
let last = { at: 0, text: new Date(0).toISOString() };

/** ISO time of an event; see {@link toEventTime}. */
export function toEventIsoTime(context: CreatedActor, event: { at?: number }): string {
  const at = toEventTime(context, event);
  if (at !== last.at) last = { at, text: new Date(at).toISOString() };
  return last.text;
}
