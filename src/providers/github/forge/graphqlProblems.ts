import { SvcError } from '../../../base/errors/errors.ts';
import { htmlToPlainText } from '../../../base/text/htmlToPlainText.ts';
import { joinErrorTexts } from '../../rest/describeRefusal.ts';

export interface GraphqlProblem {
  type: string;
  message: string;
  /**
   * Names and indices from the root of `data` to the missing value; empty where GitHub does not
   * say.
   */
  path: readonly (string | number)[];
}

/**
 * Members that may be missing while the answer stays valid: accounts, forks and commits that the
 * token may not see.
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

export const isUnknownField = (refusal: unknown, field: string): boolean =>
  readGraphqlProblems(Object(refusal).cause).some(
    ({ message }) => UNKNOWN_FIELD.exec(message)?.[1] === field,
  );

/** Whether nothing but optional parts is missing. */
export const isPartialAnswer = (problems: readonly GraphqlProblem[]): boolean =>
  problems.length > 0 &&
  problems.every(({ path }) =>
    path.some((step) => typeof step === 'string' && MAY_BE_MISSING.has(step)),
  );

/** The value without the nulls in its lists, and with an empty list where GitHub gave null. */
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

export function explainMissingChecks(problems: readonly GraphqlProblem[]): string {
  const graphqlProblem = problems.find(({ path }) => path.includes('commits'));
  if (!graphqlProblem) return '';
  if (graphqlProblem.type !== 'FORBIDDEN' && graphqlProblem.type !== 'INSUFFICIENT_SCOPES')
    return `GitHub says: ${graphqlProblem.message}`;
  return `The token lacks the permission Checks (read), which a fine-grained token cannot have: use a classic token with the scope repo, or read them at GitHub. GitHub says: ${graphqlProblem.message}`;
}

const joinGraphqlProblems = (problems: readonly GraphqlProblem[]): string =>
  joinErrorTexts(
    problems.map(({ type, message, path }) => ({
      field: message === '' ? path.join('.') : '',
      text: htmlToPlainText(message) || type || 'no reason',
    })),
  );

/** Turns GraphQL's "not found" with status 200 into an error like those of the REST API. */
export function toGraphqlRefusal(error: unknown): unknown {
  if (error instanceof SvcError) return error;
  const problems = readGraphqlProblems(error);
  const [first] = problems.filter((one) => !isPartialAnswer([one])).concat(problems);
  if (!first) return error;
  const { type, message } = first;
  // An error without a type is GitHub's own failure, mostly a time-out.
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
