import { SvcError } from '../../base/errors/errors.ts';
import type { AccountClient } from '../../contract/forge/account.ts';
import type {
  Issue,
  IssueComment,
  JobTracker,
  TrackerActor,
  TrackerAnswer,
  TrackerOperation,
  TrackerOperations,
  TransitionFields,
} from '../../contract/forge/tracker.ts';

interface TrackerParts extends Pick<JobTracker, 'issue' | 'comments' | 'search'> {
  id: string;
  accountClient: AccountClient;
  consistencyMs: number;
  serves(ref: string): boolean;
  /** Whether the tracker refuses a second comment with the same operation id. */
  commentsOnce: boolean;
  addComment(key: string, body: string, actor: TrackerActor): Promise<IssueComment>;
  /** The operation's comment; null = not visible. `actor.at` 0 = check all comments. */
  findComment(key: string, actor: TrackerActor): Promise<IssueComment | null>;
  /** As in the contract; default false. */
  transitionFields?: boolean;
  /** Throws SvcError `conflict` for a status that cannot be reached from the current one. */
  move(issue: Issue, status: string, fields: TransitionFields): Promise<Issue>;
  /** Throws if settings or login are wrong, else returns the account. `ids` are unique names. */
  self(): Promise<{ shown: string; ids: readonly string[] }>;
  /** As in the contract. */
  isMember?(identities: readonly string[]): Promise<boolean>;
}

const isSameStatus = (a: string, b: string): boolean =>
  a.trim().toLowerCase() === b.trim().toLowerCase();

const answerIssueComment = (key: string, { id, at }: IssueComment): TrackerAnswer => ({
  key,
  commentId: id,
  at,
});
const answerMovedIssue = ({ key, status, url }: Issue): TrackerAnswer => ({ key, status, url });

/** For fields that came with a status which the issue had already. */
const UNSET = 'The issue had this status before: no field was set.';

const hasNoFields = (fields: TransitionFields): boolean => Object.keys(fields).length === 0;

/** Throws SvcError `bad-argument` for fields where the tracker takes none. */
export function refuseFields(id: string, fields: TransitionFields = {}): void {
  if (hasNoFields(fields)) return;
  throw new SvcError(
    'bad-argument',
    `${id} takes no fields with a new status: leave "fields" out. Nothing was changed.`,
  );
}

/**
 * Joins the parts to what jobs use. A status that is already set is not set again, so that no
 * transition is made twice.
 */
export function createJobTracker(
  parts: TrackerParts,
): JobTracker & { healthcheck(): Promise<{ ok: boolean; detail: string }> } {
  const { accountClient, issue, comments, search, serves, id, consistencyMs } = parts;

  const comment = (key: string, body: string, actor: TrackerActor): Promise<IssueComment> => {
    if (body.trim() === '') throw new SvcError('bad-argument', 'body is empty: write the text.');
    return parts.addComment(key, body, actor);
  };
  const change = async (
    key: string,
    status: string,
    fields: TransitionFields = {},
  ): Promise<{ issue: Issue; isSet: boolean }> => {
    if (parts.transitionFields !== true) refuseFields(id, fields);
    const now = await issue(key);
    if (isSameStatus(now.status, status)) return { issue: now, isSet: false };
    return { issue: await parts.move(now, status, fields), isSet: true };
  };
  const operations: {
    [K in TrackerOperation]: {
      write(args: TrackerOperations[K], actor: TrackerActor): Promise<TrackerAnswer>;
      find(args: TrackerOperations[K], actor: TrackerActor): Promise<TrackerAnswer | null>;
    };
  } = {
    post_comment: {
      write: async ({ key, body }, actor) =>
        answerIssueComment(key, await comment(key, body, actor)),
      async find({ key }, actor) {
        const issueComment = await parts.findComment(key, actor);
        return issueComment && answerIssueComment(key, issueComment);
      },
    },
    transition_issue: {
      async write({ key, status, fields = {} }) {
        const { issue: after, isSet } = await change(key, status, fields);
        return isSet || hasNoFields(fields)
          ? answerMovedIssue(after)
          : { ...answerMovedIssue(after), note: UNSET };
      },
      async find({ key, status }) {
        const now = await issue(key);
        return isSameStatus(now.status, status) ? answerMovedIssue(now) : null;
      },
    },
  };

  return {
    id,
    issue,
    comments,
    search,
    serves,
    consistencyMs,
    doesOnce: new Set<TrackerOperation>([
      'transition_issue',
      ...(parts.commentsOnce ? (['post_comment'] as const) : []),
    ]),
    budget: () => accountClient.budget(),
    ownIds: async () => (await parts.self()).ids,
    ...(parts.isMember ? { isMember: parts.isMember } : {}),
    write: (operation, args, actor) => operations[operation].write(args, actor),
    find: (operation, args, actor) => operations[operation].find(args, actor),
    async comment(key, body, operationId) {
      const actor = { at: 0, operationId };
      return (await parts.findComment(key, actor)) ?? comment(key, body, actor);
    },
    transitionFields: parts.transitionFields === true,
    transition: async (key, status, _operationId, fields) =>
      (await change(key, status, fields)).issue,
    async healthcheck() {
      return { ok: true, detail: `Logged in as ${(await parts.self()).shown}.` };
    },
  };
}
