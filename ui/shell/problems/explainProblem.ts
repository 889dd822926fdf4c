import { ClientError } from '../../../src/api/client/problem.ts';
import { formatTimeWithDay } from '../../jobs/jobText.ts';
import { isTeamPage } from '../apiPath.ts';

/** An error for a person: what is wrong, in which fields, and what to do now. */
export interface ErrorExplanation {
  title: string;
  detail: string;
  fields: { pointer: string; message: string }[];
  /** Sentence that says what to do; null where `detail` does. */
  wayOut: string | null;
  /** What to quote when asking for help; null = no request reached the runner. */
  requestId: string | null;
}

const WAYS_OUT: Readonly<Record<string, string>> = {
  unauthorized: 'Run `svc open` in a terminal to log this browser in. What you typed stays here.',
  unreachable: 'Start the runner with `svc start`. This page reconnects automatically.',
  'part-missing':
    'This page reloads when the runner answers. If it already does, the runner was updated: reload the page.',
  stopping: 'The runner is stopping. This page reconnects automatically once it has started again.',
  'not-possible-now': 'The job has moved on. What you see now is up to date.',
  conflict: 'Review the current version and decide again.',
  'cloud-unreachable': 'It is tried again and again; nothing has to be done here.',
  'store-failed': "Nothing was changed. Check the runner's disk and try again.",
  'not-found': 'It may have been removed.',
};

/** The messages of runner and client are for programs, which send the token and name the runner. */
const NOT_LOGGED_IN = { title: 'Login required', detail: 'This browser is not logged in.' };

const TEAM_WAYS_OUT: Readonly<Record<string, string>> = {
  ...WAYS_OUT,
  unauthorized: 'Log in in another tab, and come back. What you typed stays here.',
  unreachable: 'This page reconnects automatically.',
  stopping: 'This page reconnects automatically.',
  forbidden: 'Ask an admin of the team for another role.',
  'runner-away': 'Connect a runner of the team; jobs of one that is away continue there.',
};

const findWayOut = (code: string): string | null =>
  (isTeamPage() ? TEAM_WAYS_OUT : WAYS_OUT)[code] ?? null;

const readErrorCode = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : '';

/** What something in front of the runner answers, without a reason, where it cannot reach it. */
const GATEWAY_STATUSES: ReadonlySet<number> = new Set([502, 503, 504]);
const isFromGateway = (error: unknown): error is ClientError =>
  error instanceof ClientError && error.code === 'unknown' && GATEWAY_STATUSES.has(error.status);

/** True where no runner answered at all. */
export const isUnreachable = (error: unknown): boolean =>
  readErrorCode(error) === 'unreachable' || isFromGateway(error);

/** True where the runner refuses a change, because its control plane does not answer. */
export const isCloudAway = (error: unknown): boolean =>
  readErrorCode(error) === 'cloud-unreachable';

/** True where no runner of the team answers. */
export const isRunnerAway = (error: unknown): boolean => readErrorCode(error) === 'runner-away';

export const isNotFound = (error: unknown): boolean => readErrorCode(error) === 'not-found';

/** The last sentence names a command that lists what exists; the page has a list of its own. */
const withoutListCommand = (detail: string): string => detail.replace(/ svc [^.]+\.$/, '');

/** Errors are for programs too: they name instants as ISO has them. */
const withReadableTimes = (detail: string): string =>
  detail.replace(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, (instant) =>
    formatTimeWithDay(instant, Date.now()),
  );

const UNREACHABLE = isTeamPage()
  ? 'The control plane does not answer'
  : 'The runner does not answer';

/** Of what no runner has answered, by code. */
const TITLES: Readonly<Record<string, string>> = {
  unreachable: UNREACHABLE,
  'part-missing': 'Not loaded',
};

export function explainProblem(error: unknown): ErrorExplanation {
  const wayOut = findWayOut(isUnreachable(error) ? 'unreachable' : readErrorCode(error));
  if (isFromGateway(error))
    return {
      title: UNREACHABLE,
      detail: `A proxy in front of it answered with status ${error.status}.`,
      fields: [],
      wayOut,
      requestId: null,
    };
  if (error instanceof ClientError) {
    const { errors = [], requestId } = error.problem;
    const { title, detail } = error.code === 'unauthorized' ? NOT_LOGGED_IN : error.problem;
    return {
      title,
      detail: withReadableTimes(isNotFound(error) ? withoutListCommand(detail) : detail),
      fields: [...errors],
      wayOut,
      requestId: requestId || null,
    };
  }
  const message = error instanceof Error ? error.message : String(error);
  const detail = isUnreachable(error) ? 'Nothing was changed.' : message;
  return {
    title: TITLES[readErrorCode(error)] ?? 'Something went wrong',
    detail,
    fields: [],
    wayOut: wayOut ?? 'Reload the page; if the problem persists, please report it.',
    requestId: null,
  };
}
