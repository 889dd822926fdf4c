import { SvcError } from '../../../shared/errors/errors.ts';
import { htmlToPlainText } from '../../../shared/text/htmlToPlainText.ts';
import { joinErrorTexts } from '../../rest/describeRefusal.ts';

/** One entry of `errors` in a GraphQL answer; all of it is untrusted. */
export interface GraphqlProblem {
  type: string;
  message: string;
  /**
   * Names and places from the root of `data` to the value that is missing; empty where GitHub does
   * not say.
   */
  path: readonly (string | number)[];
}

/**
 * Members of an answer that may be missing without making the rest of it wrong: accounts, forks and
 * commits that the token may not see.
 */
const MAY_BE_MISSING = new Set([
  'author',
  'actor',
  'mergedBy',
  'commit',
  'mergeCommit',
  'statusCheckRollup',
  'timelineItems',
  'nodes',
]);

/** The problems of an error that the GraphQL client threw; none for any other error. */
export function readGraphqlProblems(error: unknown): GraphqlProblem[] {
  const { errors } = Object(error);
  if (!Array.isArray(errors)) return [];
  return errors.map((one: unknown) => {
    const { type, message, path } = Object(one);
    return {
      type: typeof type === 'string' ? type : '',
      message: typeof message === 'string' ? message : '',
      path: Array.isArray(path)
        ? path.filter((step) => typeof step === 'string' || typeof step === 'number')
        : [],
    };
  });
}

const UNKNOWN_FIELD = /^Field '(\w+)' doesn't exist on type/;

/** Whether a refusal says that the server's schema does not have a field. */
export const isUnknownField = (refusal: unknown, field: string): boolean =>
  readGraphqlProblems(Object(refusal).cause).some(
    ({ message }) => UNKNOWN_FIELD.exec(message)?.[1] === field,
  );

/** Whether the answer is whole but for parts that may be missing. */
export const isPartialAnswer = (problems: readonly GraphqlProblem[]): boolean =>
  problems.length > 0 &&
  problems.every(({ path }) =>
    path.some((step) => typeof step === 'string' && MAY_BE_MISSING.has(step)),
  );

/** The value with every null taken out of its lists, and an empty list where GitHub gave none. */
export function removeGraphqlGaps(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((one) => one !== null).map(removeGraphqlGaps);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      name === 'nodes' && inner === null ? [] : removeGraphqlGaps(inner),
    ]),
  );
}

/** Why the checks of the newest commit could not all be read; empty = they could. */
export function explainMissingChecks(problems: readonly GraphqlProblem[]): string {
  const found = problems.find(({ path }) => path.includes('commits'));
  if (!found) return '';
  if (found.type !== 'FORBIDDEN' && found.type !== 'INSUFFICIENT_SCOPES')
    return `GitHub says: ${found.message}`;
  return `The token lacks the permission Checks (read), which a fine-grained token cannot have: use a classic token with the scope repo, or read them at GitHub. GitHub says: ${found.message}`;
}

/** What the problems say, each with where it is; a problem without a message by its type. */
const joinGraphqlProblems = (problems: readonly GraphqlProblem[]): string =>
  joinErrorTexts(
    problems.map(({ type, message, path }) => ({
      field: message === '' ? path.join('.') : '',
      text: htmlToPlainText(message) || type || 'no reason',
    })),
  );

/** GraphQL says "not found" with status 200; made into what the other answers are. */
export function toGraphqlRefusal(error: unknown): unknown {
  if (error instanceof SvcError) return error;
  const problems = readGraphqlProblems(error);
  const [first] = problems.filter((one) => !isPartialAnswer([one])).concat(problems);
  if (!first) return error;
  const { type, message } = first;
  // Without a type it is GitHub's own failure: a time-out, mostly.
  const statuses: Readonly<Record<string, number>> = {
    '': 502,
    NOT_FOUND: 404,
    FORBIDDEN: 403,
    INSUFFICIENT_SCOPES: 403,
  };
  const status = UNKNOWN_FIELD.test(message) ? 422 : (statuses[type] ?? 422);
  const same = problems.filter((one) => one.type === type);
  return {
    status,
    cause: error,
    response: {
      data: { message: joinGraphqlProblems(same) },
      headers: Object(error).headers ?? {},
    },
  };
}
