import { asCaller } from '../../providers/account/caller.ts';
import { trackerOfJob, type Trackers } from '../../providers/trackers.ts';
import type { Issue, IssueComment } from '../../contract/tracker.ts';
import {
  type Args,
  countArg,
  type Found,
  type Lookup,
  neededText,
  schemaOf,
  textArg,
} from './lookup.ts';

const MAX_KEY_CHARS = 300;
/**
 * Longest search, characters. It leaves this machine, so it is short: no code fits into it.
 */
export const MAX_QUERY_CHARS = 300;
const MAX_ISSUES = 50;
const DEFAULT_ISSUES = 20;
/** Newest comments of an issue that are shown. */
const MAX_COMMENTS = 200;

const trackerField = {
  type: 'string',
  description: 'Id of the tracker; only needed where several are configured.',
};
const keyField = {
  type: 'string',
  description: 'Key of the issue, such as SHOP-1 or <owner>/<name>#1.',
};

interface TrackerLookupDeps {
  trackers: Trackers;
  /** In whose name the tracker is asked. */
  caller: { jobId: string; phase: string };
  /** Throws for a text that has a secret in it. */
  refuseSecrets(text: string): void;
}

const outside = (text: string, trusted: boolean): Found => ({
  text,
  trust: trusted ? 'own' : 'outside',
  repo: null,
  commit: null,
  path: null,
  fromLine: null,
  toLine: null,
});

const listed = (name: string, values: readonly string[] | undefined): string[] =>
  values === undefined || values.length === 0 ? [] : [`${name}: ${values.join(', ')}`];

const issueText = ({ key, title, status, url, labels, links, body }: Issue): string =>
  [
    `${key}: ${title}`,
    `status: ${status}`,
    `address: ${url}`,
    ...listed('labels', labels),
    ...listed('links', links),
    '',
    body,
  ].join('\n');

const commentText = ({ author, at, body }: IssueComment): string => `${author}, ${at}:\n${body}`;

/** A text with what is missing in it, in sentences. */
const withUnread = (text: string, unread: readonly string[]): string =>
  unread.length === 0 ? text : `${text}\n\nNot everything was read. ${unread.join(' ')}`;

/** The three look-ups in trackers; none where none is configured. */
export function trackerLookups({ trackers, caller, refuseSecrets }: TrackerLookupDeps): Lookup[] {
  if (trackers.ids().length === 0) return [];
  const of = (args: Args, ref: string | null) =>
    trackerOfJob(trackers, { ref, provider: textArg(args, 'tracker', 64) });
  const withKey = <T>(args: Args, run: (key: string) => Promise<T>): Promise<T> =>
    asCaller(caller, async () => {
      const key = neededText(args, 'key', MAX_KEY_CHARS);
      refuseSecrets(key);
      return run(key);
    });
  return [
    {
      name: 'tracker_get_issue',
      description: 'Returns title, status, labels, links and text of an issue. Others wrote it.',
      inputSchema: schemaOf({ key: keyField, tracker: trackerField }, ['key']),
      targetOf: (args) => neededText(args, 'key', MAX_KEY_CHARS),
      find: (args) =>
        withKey(args, async (key) => {
          const unread: string[] = [];
          const issue = await of(args, key).issue(key, (what) => void unread.push(what));
          return outside(withUnread(issueText(issue), unread), issue.member === true);
        }),
    },
    {
      name: 'tracker_get_comments',
      description: `Returns the comments of an issue, oldest first, at most the newest ${MAX_COMMENTS}. Others wrote them.`,
      inputSchema: schemaOf({ key: keyField, tracker: trackerField }, ['key']),
      targetOf: (args) => `comments of ${neededText(args, 'key', MAX_KEY_CHARS)}`,
      find: (args) =>
        withKey(args, async (key) => {
          const unread: string[] = [];
          const all = await of(args, key).comments(key, (what) => void unread.push(what));
          const comments = all.slice(-MAX_COMMENTS);
          const none = unread.length === 0 ? 'There are no comments.' : 'No comment was read.';
          const text = comments.map(commentText).join('\n\n') || none;
          return outside(
            withUnread(text, unread),
            comments.every(({ member }) => member === true),
          );
        }),
    },
    {
      name: 'tracker_search_issues',
      description: `Returns issues that contain the words, at most ${MAX_ISSUES}; without words, the most recently changed.`,
      inputSchema: schemaOf({
        text: { type: 'string', description: `Words, at most ${MAX_QUERY_CHARS} characters.` },
        limit: { type: 'integer', description: `Most issues; default ${DEFAULT_ISSUES}.` },
        tracker: trackerField,
      }),
      targetOf: (args) => `issues with “${textArg(args, 'text', MAX_QUERY_CHARS) ?? ''}”`,
      find: (args) =>
        asCaller(caller, async () => {
          const text = textArg(args, 'text', MAX_QUERY_CHARS) ?? '';
          refuseSecrets(text);
          const limit = countArg(args, 'limit', MAX_ISSUES) ?? DEFAULT_ISSUES;
          const unread: string[] = [];
          const note = (what: string) => void unread.push(what);
          const issues = await of(args, null).search(text, limit, note);
          const lines = issues.map(({ key, status, title }) => `${key} [${status}] ${title}`);
          return outside(
            withUnread(lines.join('\n') || 'No issue was found.', unread),
            issues.every(({ member }) => member === true),
          );
        }),
    },
  ];
}
