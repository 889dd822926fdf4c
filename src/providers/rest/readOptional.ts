import { SvcError } from '../../base/errors/errors.ts';

/** Statuses of a server that lacks such a part, or hides it from this token. */
const ABSENT = new Set([400, 403, 404, 405, 410, 422, 501]);

/** A part of an answer, or a sentence that says why it is unknown. */
export type OptionalPart<T> = { value: T; problem: null } | { value: null; problem: string };

/**
 * Reads an optional part: a server may be too old for it, its licence may lack it, or the token may
 * not see it. Throws every other failure.
 */
export async function readOptional<T>(read: Promise<T>): Promise<OptionalPart<T>> {
  try {
    return { value: await read, problem: null };
  } catch (error) {
    if (error instanceof SvcError && ABSENT.has(Number(error.data.status)))
      return { value: null, problem: error.message };
    throw error;
  }
}
