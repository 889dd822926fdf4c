import { SvcError } from '../../shared/errors/errors.ts';

/** Statuses of a server that has no such part, or does not show it to this token. */
const ABSENT = new Set([400, 403, 404, 405, 410, 422, 501]);

/** A part of an answer, or why it is unknown: a sentence. */
export type OptionalPart<T> = { value: T; problem: null } | { value: null; problem: string };

/**
 * Reads a part without which the rest is still worth something: a server may be too old for it, its
 * licence may not have it, or the token may not see it. Throws every other failure.
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
