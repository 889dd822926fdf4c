import type { Caller } from '../schema/runner/caller.ts';

/** The outcome of the files of the tenant layer; a part of `Tables`. */
export interface IntelligenceTables {
  intelligence_versions: {
    path: string;
    /** From 1 on, within the path. */
    n: number;
    at: number;
    /** Who has written it, as they call themselves. */
    author: string;
    /** How the request came in; null = it was found on disk, changed by other means. */
    came: Caller | null;
    /** The proposal that brought it; null = none. */
    proposal: string | null;
    /** null = the file was removed. */
    text: string | null;
  };
}
