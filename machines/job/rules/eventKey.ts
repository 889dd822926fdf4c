const PREFIX = 'event:';

/**
 * The name of a forge or tracker event among inbox kinds (besides `message`) and wake keys (besides
 * keys of people).
 */
export const toEventKey = <Kind extends string>(kind: Kind): `event:${Kind}` => `${PREFIX}${kind}`;

/** The event kind that a key names; other keys are returned unchanged. */
export const toEventKind = (key: string): string =>
  key.startsWith(PREFIX) ? key.slice(PREFIX.length) : key;
