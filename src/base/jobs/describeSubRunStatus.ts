/** Statuses whose plain words are not their own name. */
const WORDS: Readonly<Record<string, string>> = { dispatched: 'running' };

/** States of a campaign in which a sub-run that could start does not. */
const ON_HOLD: ReadonlySet<string> = new Set(['halted', 'held', 'reopened']);

/** The status of a sub-run in words, by the state of its campaign. */
export const describeSubRunStatus = (status: string, state: string): string =>
  status === 'ready' && ON_HOLD.has(state) ? 'on hold' : (WORDS[status] ?? status);
