import { toErrorMessage } from '../../base/errors/errors.ts';

/** Longest case, ms. */
export const CASE_MS = 15_000;

/** Thrown by a case that a plugin fails; says what was expected and what came. */
export class Fault extends Error {}
/** Thrown by a case that cannot be tried. */
export class SkipError extends Error {}

export interface Case {
  /** Stable, in kebab-case; reports show it. */
  name: string;
  promise: string;
  /** Throws Fault, Skipped, or whatever the plugin throws. */
  run(): Promise<void>;
}

export function expect(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new Fault(otherwise);
}

/** Waits at most `ms` of real time, then throws a Fault that says what was waited for. */
export async function awaitWithin<T>(ms: number, what: string, wait: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Fault(`${what} within ${ms / 1000} s`)), ms);
  });
  try {
    return await Promise.race([wait, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** What a promise rejects with; throws a Fault if it does not reject. */
export async function awaitRejection(wait: Promise<unknown>, otherwise: string): Promise<unknown> {
  try {
    await wait;
  } catch (thrown) {
    return thrown;
  }
  throw new Fault(otherwise);
}

export const previewValue = (value: unknown): string =>
  (JSON.stringify(value) ?? String(value)).slice(0, 300);

export const readThrownCode = (thrown: unknown): unknown =>
  thrown instanceof Error && 'code' in thrown ? thrown.code : toErrorMessage(thrown);
