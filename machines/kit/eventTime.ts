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

/** ISO time of an event; see {@link timeOf}. */
export const isoTime = (context: Created, event: { at?: number }): string =>
  new Date(timeOf(context, event)).toISOString();
