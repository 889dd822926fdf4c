const PREFIX = 'event:';

/**
 * How an event of a pull request or ticket is named among things of other kinds: as the kind of an
 * inbox item (beside `message`), and as the key of what woke a job (beside the keys of people).
 */
export const toEventKey = <Kind extends string>(kind: Kind): `event:${Kind}` => `${PREFIX}${kind}`;

/** The kind of the event that a key names. A key of anything else is returned as it is. */
export const toEventKind = (key: string): string =>
  key.startsWith(PREFIX) ? key.slice(PREFIX.length) : key;
