import { runAsCaller } from '../../providers/account/caller.ts';
import { resolveJobTracker, type Trackers } from '../../providers/trackers.ts';
import type { Issue, IssueComment } from '../../contract/forge/tracker.ts';
import {
  type Args,
  readCountArg,
  type LookupFinding,
  type Lookup,
  readRequiredTextArg,
  buildArgsSchema,
  readTextArg,
} from './lookup.ts';

const MAX_KEY_CHARS = 300;
/** Longest search, characters. It leaves this machine, so it is too short for code. */
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
  caller: { jobId: string; phase: string };
  /** Throws for a text with a secret in it. */
  refuseSecrets(text: string): void;
}

const toTrackerFinding = (text: string, trusted: boolean): LookupFinding => ({
  text,
  trust: trusted ? 'own' : 'outside',
  repo: null,
  commit: null,
  path: null,
  fromLine: null,
  toLine: null,
});

const formatNamedList = (name: string, values: readonly string[] | undefined): string[] =>
  values === undefined || values.length === 0 ? [] : [`${name}: ${values.join(', ')}`];

const formatIssueText = ({ key, title, status, url, labels, links, body }: Issue): string =>
  [
    `${key}: ${title}`,
    `status: ${status}`,
    `address: ${url}`,
    ...formatNamedList('labels', labels),
    ...formatNamedList('links', links),
    '',
    body,
  ].join('\n');

const formatCommentText = ({ author, at, body }: IssueComment): string =>
  `${author}, ${at}:\n${body}`;

/** A text with sentences about what is missing in it. */
const withUnread = (text: string, unread: readonly string[]): string =>
  unread.length === 0 ? text : `${text}\n\nNot everything was read. ${unread.join(' ')}`;

/** The three look-ups in trackers; none without a configured tracker. */
export function createTrackerLookups({
  trackers,
  caller,
  refuseSecrets,
}: TrackerLookupDeps): Lookup[] {
  if (trackers.ids().length === 0) return [];
  const of = (args: Args, ref: string | null) =>
    resolveJobTracker(trackers, { ref, provider: readTextArg(args, 'tracker', 64) });
  const withKey = <T>(args: Args, run: (key: string) => Promise<T>): Promise<T> =>
    runAsCaller(caller, async () => {
      const key = readRequiredTextArg(args, 'key', MAX_KEY_CHARS);
      refuseSecrets(key);
      return run(key);
    });
  return [
    {
      name: 'tracker_get_issue',
      description: 'Returns title, status, labels, links and text of an issue. Others wrote it.',
      inputSchema: buildArgsSchema({ key: keyField, tracker: trackerField }, ['key']),
      describeTarget: (args) => readRequiredTextArg(args, 'key', MAX_KEY_CHARS),
      find: (args) =>
        withKey(args, async (key) => {
          const unread: string[] = [];
          const issue = await of(args, key).issue(key, (what) => void unread.push(what));
          return toTrackerFinding(
            withUnread(formatIssueText(issue), unread),
            issue.member === true,
          );
        }),
    },
    {
      name: 'tracker_get_comments',
      description: `Returns the comments of an issue, oldest first, at most the newest ${MAX_COMMENTS}. Others wrote them.`,
      inputSchema: buildArgsSchema({ key: keyField, tracker: trackerField }, ['key']),
      describeTarget: (args) => `comments of ${readRequiredTextArg(args, 'key', MAX_KEY_CHARS)}`,
      find: (args) =>
        withKey(args, async (key) => {
          const unread: string[] = [];
          const all = await of(args, key).comments(key, (what) => void unread.push(what));
          const comments = all.slice(-MAX_COMMENTS);
          const none = unread.length === 0 ? 'There are no comments.' : 'No comment was read.';
          const text = comments.map(formatCommentText).join('\n\n') || none;
          return toTrackerFinding(
            withUnread(text, unread),
            comments.every(({ member }) => member === true),
          );
        }),
    },
    {
      name: 'tracker_search_issues',
      description: `Returns issues that contain the words, at most ${MAX_ISSUES}; without words, the most recently changed.`,
      inputSchema: buildArgsSchema({
        text: { type: 'string', description: `Words, at most ${MAX_QUERY_CHARS} characters.` },
        limit: { type: 'integer', description: `Most issues; default ${DEFAULT_ISSUES}.` },
        tracker: trackerField,
      }),
      describeTarget: (args) => `issues with “${readTextArg(args, 'text', MAX_QUERY_CHARS) ?? ''}”`,
      find: (args) =>
        runAsCaller(caller, async () => {
          const text = readTextArg(args, 'text', MAX_QUERY_CHARS) ?? '';
          refuseSecrets(text);
          const limit = readCountArg(args, 'limit', MAX_ISSUES) ?? DEFAULT_ISSUES;
          const unread: string[] = [];
          const note = (what: string) => void unread.push(what);
          const issues = await of(args, null).search(text, limit, note);
          const lines = issues.map(({ key, status, title }) => `${key} [${status}] ${title}`);
          return toTrackerFinding(
            withUnread(lines.join('\n') || 'No issue was found.', unread),
            issues.every(({ member }) => member === true),
          );
        }),
    },
  ];
}
