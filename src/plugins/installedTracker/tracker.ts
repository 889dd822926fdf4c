import type {
  Issue,
  IssueComment,
  JobTracker,
  NoteUnread,
  ReportedComment,
  TrackerOperation,
} from '../../contract/forge/tracker.ts';
import type { MayAct } from '../../base/concurrency/mayAct.ts';
import { type ErrorCode, SvcError } from '../../base/errors/errors.ts';
import { isHttpAddress } from '../../base/http/isHttpAddress.ts';
import { screenTexts } from '../../base/secrets/screenSecrets.ts';
import { cutIssueText, MAX_COMMENTS, MAX_FOUND } from '../../providers/rest/trackerLimits.ts';
import {
  parseComment,
  parseComments,
  parseIssue,
  parseIssues,
  parseKey,
  parseReported,
} from '../process/pluginAnswers.ts';
import type { TrackerCall } from '../process/protocol.ts';

/** Errors of a tracker plugin that are passed on; every other one is a mistake of the plugin. */
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

export interface InstalledTrackerOptions {
  id: string;
  /** It can tell which issue an address is about. */
  issueAt: boolean;
  ask(call: TrackerCall): Promise<unknown>;
  /** Asked right before each call that writes. */
  mayAct: MayAct;
  screen(text: string): string;
  /** Called once for each method whose list had invalid items. `why`: a clause. */
  onLeftOut?(member: string, why: string): void;
}

export interface InstalledTracker extends JobTracker {
  /** Throws SvcError: the plugin's own, or `invalid` for an answer of another form. */
  readReported(delivery: unknown): Promise<ReportedComment | null>;
}

/**
 * The tracker of an installed plugin. Its contract promises that an operation id never writes
 * twice, so a write whose answer was lost is repeated. It does not say which keys are its own, so
 * it could have any.
 */
export function createInstalledTracker(options: InstalledTrackerOptions): InstalledTracker {
  const { id, ask, screen } = options;
  const askChecked = async <T extends object>(
    call: TrackerCall,
    parse: (value: unknown) => T | null,
    form: string,
  ): Promise<T> => {
    const parsedAnswer = parse(await ask(call));
    if (parsedAnswer === null)
      throw new SvcError('invalid', `${id}: ${call.method}() did not return ${form}.`);
    return screenTexts(parsedAnswer, screen) as T;
  };
  const reportedProblems = new Set<string>();
  const noteLeftOut = (
    method: TrackerCall['method'],
    noun: string,
    leftOut: readonly number[],
    noteUnread: NoteUnread = () => {},
  ): void => {
    const [first] = leftOut;
    if (first === undefined) return;
    const count = leftOut.length;
    noteUnread(
      count === 1
        ? `One ${noun} violates the plugin contract and was ignored.`
        : `${count} ${noun}s violate the plugin contract and were ignored.`,
    );
    if (reportedProblems.has(method)) return;
    reportedProblems.add(method);
    options.onLeftOut?.(`${method}()`, `item ${first} is no ${noun}`);
  };
  const short = (one: Issue): Issue => ({ ...one, body: cutIssueText(one.body) });
  const shortComment = (one: IssueComment): IssueComment => ({
    ...one,
    body: cutIssueText(one.body),
  });

  const issueAt = async (address: string): Promise<string | null> => {
    const call: TrackerCall = { method: 'issueAt', args: [address] };
    const [key] = await askChecked(call, parseKey, 'a key or null');
    return key ?? null;
  };
  /** People and agents may name a ticket by its address. */
  const findKey = async (reference: string): Promise<string> => {
    if (!options.issueAt || !isHttpAddress(reference)) return reference;
    const key = await issueAt(reference.trim());
    if (key !== null) return key;
    throw new SvcError(
      'not-found',
      `${reference.slice(0, 200)} is not the address of a ticket of ${id}.`,
    );
  };

  const issue: JobTracker['issue'] = async (reference) => {
    const key = await findKey(reference);
    try {
      return short(await askChecked({ method: 'issue', args: [key] }, parseIssue, 'an issue'));
    } catch (error) {
      if (!(error instanceof SvcError) || error.code !== 'not-found' || !isHttpAddress(key))
        throw error;
      const how = `${error.message} Name the ticket by its key: ${id} does not tell tickets by their address.`;
      throw new SvcError('not-found', how, { cause: error });
    }
  };
  const comment: JobTracker['comment'] = async (reference, ...rest) => {
    const args: Parameters<JobTracker['comment']> = [await findKey(reference), ...rest];
    await options.mayAct();
    return shortComment(await askChecked({ method: 'comment', args }, parseComment, 'a comment'));
  };
  const transition: JobTracker['transition'] = async (reference, status, operationId, fields) => {
    // A plugin that knows no fields gets the old arguments.
    const args: Parameters<JobTracker['transition']> = [
      await findKey(reference),
      status,
      operationId,
    ];
    if (Object.keys(fields ?? {}).length > 0) args.push(fields);
    await options.mayAct();
    return short(await askChecked({ method: 'transition', args }, parseIssue, 'an issue'));
  };
  return {
    id,
    issue,
    comment,
    transition,
    ...(options.issueAt ? { issueAt } : {}),
    async readReported(delivery) {
      const call: TrackerCall = { method: 'commentIn', args: [delivery] };
      const [reported] = await askChecked(call, parseReported, 'a comment or null');
      return reported ?? null;
    },
    consistencyMs: 0,
    serves: () => true,
    doesOnce: new Set<TrackerOperation>(['post_comment', 'transition_issue']),
    find: async () => null,
    budget: () => null,
    async comments(reference, noteUnread) {
      const call: TrackerCall = { method: 'comments', args: [await findKey(reference)] };
      const parsedList = await askChecked(call, parseComments, 'a list of comments');
      noteLeftOut('comments', 'comment', parsedList.leftOut, noteUnread);
      return parsedList.items.slice(-MAX_COMMENTS).map(shortComment);
    },
    async search(text, limit, noteUnread) {
      const most = Math.min(Math.max(1, limit), MAX_FOUND);
      const call: TrackerCall = { method: 'search', args: [text, most] };
      const parsedList = await askChecked(call, parseIssues, 'a list of issues');
      noteLeftOut('search', 'issue', parsedList.leftOut, noteUnread);
      return parsedList.items.slice(0, most).map(short);
    },
    async write(operation, args, { operationId }) {
      if (operation === 'post_comment') {
        const issueComment = await comment(args.key, 'body' in args ? args.body : '', operationId);
        return { key: args.key, commentId: issueComment.id, at: issueComment.at };
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
