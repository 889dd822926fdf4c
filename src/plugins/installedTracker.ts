import { type ErrorCode, SvcError } from '../lib/errors.ts';
import { screenedTexts } from '../lib/screenSecrets.ts';
import { cut, MAX_COMMENTS, MAX_FOUND } from '../providers/rest/trackerLimits.ts';
import type { Issue, IssueComment, JobTracker, TrackerOperation } from '../contract/tracker.ts';
import { parseComment, parseComments, parseIssue, parseIssues } from './process/answers.ts';
import type { TrackerCall } from './process/protocol.ts';

/**
 * Errors of a tracker plugin that mean what they say; every other one is a mistake of the plugin.
 */
export const TRACKER_ERRORS: ReadonlySet<string> = new Set<ErrorCode>([
  ...([
    'not-found',
    'conflict',
    'bad-argument',
    'forbidden',
    'rate-limited',
    'unreachable',
    'config-invalid',
  ] as const),
]);

interface InstalledTrackerOptions {
  id: string;
  /** Runs one call in a process of its own. Throws SvcError. */
  ask(call: TrackerCall): Promise<unknown>;
  screen(text: string): string;
}

/**
 * A tracker of an installed plugin, for jobs. Its contract promises that the same operation id
 * never writes twice, so a write whose answer was lost is asked for again; which keys are its own
 * it does not say, so it could have any.
 */
export function installedTracker({ id, ask, screen }: InstalledTrackerOptions): JobTracker {
  const checked = async <T extends object>(
    call: TrackerCall,
    parse: (value: unknown) => T | null,
    form: string,
  ): Promise<T> => {
    const found = parse(await ask(call));
    if (found === null)
      throw new SvcError('invalid', `${id}: ${call.method}() did not return ${form}.`);
    return screenedTexts(found, screen) as T;
  };
  const short = (one: Issue): Issue => ({ ...one, body: cut(one.body) });
  const shortComment = (one: IssueComment): IssueComment => ({ ...one, body: cut(one.body) });

  const issue: JobTracker['issue'] = async (key) =>
    short(await checked({ method: 'issue', args: [key] }, parseIssue, 'an issue'));
  const comment: JobTracker['comment'] = async (...args) =>
    shortComment(await checked({ method: 'comment', args }, parseComment, 'a comment'));
  const transition: JobTracker['transition'] = async (key, status, operationId, fields) => {
    // A plugin that knows of no fields is called as ever.
    const args: Parameters<JobTracker['transition']> = [key, status, operationId];
    if (Object.keys(fields ?? {}).length > 0) args.push(fields);
    return short(await checked({ method: 'transition', args }, parseIssue, 'an issue'));
  };
  return {
    id,
    issue,
    comment,
    transition,
    consistencyMs: 0,
    serves: () => true,
    doesOnce: new Set<TrackerOperation>(['post_comment', 'transition_issue']),
    find: async () => null,
    budget: () => null,
    async comments(key) {
      const all = await checked(
        { method: 'comments', args: [key] },
        parseComments,
        'a list of comments',
      );
      return all.slice(-MAX_COMMENTS).map(shortComment);
    },
    async search(text, limit) {
      const most = Math.min(Math.max(1, limit), MAX_FOUND);
      const found = await checked(
        { method: 'search', args: [text, most] },
        parseIssues,
        'a list of issues',
      );
      return found.slice(0, most).map(short);
    },
    async write(operation, args, { operationId }) {
      if (operation === 'post_comment') {
        const made = await comment(args.key, 'body' in args ? args.body : '', operationId);
        return { key: args.key, commentId: made.id, at: made.at };
      }
      const { key, status, url } = await transition(
        args.key,
        'status' in args ? args.status : '',
        operationId,
        'status' in args ? args.fields : undefined,
      );
      return { key, status, url };
    },
  };
}
