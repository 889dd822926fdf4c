/** Most entries of one list. */
export const MAX_WRITES_TO = 50;
/** Longest entry, characters. */
export const MAX_WRITES_TO_CHARS = 256;

/**
 * Something outside of its job that an agent may write to because a person named it: `writesTo` of
 * params or of a workflow.
 */
export interface WritesToEntry {
  /** Id of the forge or tracker. */
  provider: string;
  /** Repository or ticket key, as written. */
  name: string;
  /** Number of the pull request or issue; null = the whole repository, or the ticket. */
  number: number | null;
}

const ENTRY =
  /^(?<provider>[a-z][a-z0-9-]{0,63}):(?<name>[\w.-]+(?:\/[\w.-]+)*)(?:[#!](?<number>[1-9]\d{0,9}))?$/;

/** How an entry is written, to be put into messages. */
export const WRITES_TO_FORM =
  'must be <forge>:<repository>, <forge>:<repository>#<number> or <tracker>:<ticket>, for example github:acme/shop#7, local:shop or jira:SHOP-12';

/** Reads one entry; null if it does not have the form. Does not check whether the target exists. */
export function parseWritesTo(text: unknown): WritesToEntry | null {
  if (typeof text !== 'string' || text.length > MAX_WRITES_TO_CHARS) return null;
  const { provider, name, number } = ENTRY.exec(text)?.groups ?? {};
  if (provider === undefined || name === undefined || /(?:^|\/)\.{1,2}(?:\/|$)/.test(name))
    return null;
  return { provider, name, number: number === undefined ? null : Number(number) };
}

/** The entries of a list that have the form; anything else grants nothing. */
export const parseWritesToEntries = (list: unknown): WritesToEntry[] =>
  Array.isArray(list)
    ? list.slice(0, MAX_WRITES_TO).flatMap((text) => parseWritesTo(text) ?? [])
    : [];

/**
 * What is wrong with a list, by the index of the entry; null as the index stands for the list.
 * Empty = nothing.
 */
export function findWritesToProblems(list: unknown): { index: number | null; message: string }[] {
  if (!Array.isArray(list))
    return [{ index: null, message: 'must be a list, for example ["github:acme/shop#7"]' }];
  const tooMany =
    list.length > MAX_WRITES_TO
      ? [{ index: null, message: `has ${list.length} entries; at most ${MAX_WRITES_TO}` }]
      : [];
  const wrong = list.flatMap((text: unknown, index) =>
    parseWritesTo(text) ? [] : [{ index, message: WRITES_TO_FORM }],
  );
  return [...tooMany, ...wrong];
}
