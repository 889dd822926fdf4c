interface CreatedActor {
  /** Epoch ms. */
  createdAt: number;
}

/** Epoch ms. An actor's first step has no event: it happens at creation. */
export const toEventTime = ({ createdAt }: CreatedActor, event: { at?: number }): number =>
  event.at ?? createdAt;

/** The last written time; all of one commit has the same. */
let last = { at: 0, text: new Date(0).toISOString() };

/** ISO time of an event; see {@link toEventTime}. */
export function toEventIsoTime(context: CreatedActor, event: { at?: number }): string {
  const at = toEventTime(context, event);
  if (at !== last.at) last = { at, text: new Date(at).toISOString() };
  return last.text;
}
