import { ClientError } from '../../src/client/problem.ts';

/**
 * An error as a person can use it: what is wrong, each field that is, what else is known, and what
 * to do now.
 */
export interface Explained {
  title: string;
  detail: string;
  fields: { pointer: string; message: string }[];
  /** Sentence that says what to do; null where `detail` does. */
  wayOut: string | null;
  /** What to quote when asking somebody; null = nothing was asked of the runner. */
  requestId: string | null;
}

const WAYS_OUT: Readonly<Record<string, string>> = {
  unauthorized: 'Run `svc open` in a terminal: it logs this browser in. What you typed stays here.',
  unreachable: 'Start the runner with `svc start`. This page goes on by itself once it answers.',
  'part-missing':
    'It is tried again once the runner answers. If it does answer, it was updated meanwhile: load the page again.',
  stopping: 'The runner is stopping. This page goes on by itself once it has started again.',
  'not-possible-now': 'The job has moved on meanwhile. What you see now is up to date.',
  conflict: 'Look at what is shown now and decide again.',
  'store-failed': 'Nothing was changed. Look at the disk of the runner and try again.',
  'not-found': 'It may have been removed. The list of jobs shows what there is.',
};

/** What the runner says to that is for programs, which send the token. */
const NOT_LOGGED_IN = { title: 'A login is needed', detail: 'This browser is not logged in.' };

const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : '';

/** True where no runner answered at all. */
export const isUnreachable = (error: unknown): boolean => codeOf(error) === 'unreachable';

/** True where the runner knows no such thing. */
export const isMissing = (error: unknown): boolean => codeOf(error) === 'not-found';

export function explain(error: unknown): Explained {
  const wayOut = WAYS_OUT[codeOf(error)] ?? null;
  if (error instanceof ClientError) {
    const { errors = [], requestId } = error.problem;
    const { title, detail } = error.code === 'unauthorized' ? NOT_LOGGED_IN : error.problem;
    return { title, detail, fields: [...errors], wayOut, requestId: requestId || null };
  }
  const detail = error instanceof Error ? error.message : String(error);
  return {
    title: isUnreachable(error) ? 'The runner does not answer' : 'Something went wrong',
    detail,
    fields: [],
    wayOut: wayOut ?? 'Load the page again; if it stays, please report it.',
    requestId: null,
  };
}
