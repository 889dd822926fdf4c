import { joinIntoOneLine } from '../../../base/text/clip.ts';
import { toIsoDate } from '../../../base/json/untrusted.ts';
import { SvcError } from '../../../base/errors/errors.ts';
import type { Clock } from '../../../base/time/clock.ts';
import { createGithubCredentials, type GithubAccounts } from '../app/credentials.ts';
import { GithubClient } from '../forge/client.ts';
import { isWrittenBy } from '../forge/isWrittenBy.ts';
import { isMemberBy } from '../forge/members.ts';
import { type GithubSettings, splitGithubSlug } from '../forge/settings.ts';
import {
  expectAuthor,
  expectDate,
  expectId,
  expectNumber,
  expectText,
  expectWord,
  isNumericId,
} from '../../rest/expectedValues.ts';
import { expectAnsweredList, LenientReader, readAnswer } from '../../rest/lenientReader.ts';
import { createUnconfirmedError } from '../../rest/refusal.ts';
import { addMark, removeMark } from '../../../git/marks.ts';
import { cutIssueText, MAX_COMMENTS, MAX_FOUND } from '../../rest/trackerLimits.ts';
import { createJobTracker } from '../../rest/createJobTracker.ts';
import type { Issue, IssueComment, JobTracker } from '../../../contract/forge/tracker.ts';

const CONSISTENCY_MS = 10_000;
/** How far GitHub's clock may be behind ours, ms. */
const CLOCKS_APART_MS = 5 * 60_000;

type Rest = GithubClient['octokit']['rest'];
type RestIssue = Awaited<ReturnType<Rest['issues']['get']>>['data'];
type RestComment = Awaited<ReturnType<Rest['issues']['listComments']>>['data'][number];

/** A status and how it is set at GitHub; its first name is shown. */
const STATUSES: readonly {
  names: readonly string[];
  set: { state: 'open' | 'closed'; state_reason?: 'completed' | 'not_planned' | 'reopened' };
}[] = [
  {
    names: ['open', 'reopened', 'todo', 'to do'],
    set: { state: 'open', state_reason: 'reopened' },
  },
  { names: ['closed', 'completed', 'done'], set: { state: 'closed', state_reason: 'completed' } },
  {
    names: ['not planned', 'not_planned', "won't do"],
    set: { state: 'closed', state_reason: 'not_planned' },
  },
];

function toGithubIssueStatus({
  state: githubState,
  state_reason: reason,
}: Pick<RestIssue, 'state' | 'state_reason'>): string {
  const state = expectWord(githubState, ['open', 'closed'], 'it');
  return state === 'open' ? 'open' : reason === 'not_planned' ? 'not planned' : 'closed';
}

type IssuePlace = { owner: string; repo: string; issue_number: number };

/** Throws, with the wrong value, for a comment that svc cannot read. */
function checkComment({ id, body, user, created_at: at }: RestComment): void {
  expectId(id, 'the id of a comment');
  expectText(body ?? '', 'the body of a comment');
  expectDate(at, 'the date of a comment');
  expectAuthor(user, 'login');
}

const toGithubIssueComment = ({
  id,
  body,
  user,
  created_at: at,
  author_association: association,
}: Pick<
  RestComment,
  'id' | 'body' | 'user' | 'created_at' | 'author_association'
>): IssueComment => ({
  id: String(id),
  author: user?.login ?? 'ghost',
  body: cutIssueText(removeMark(body ?? '')),
  at: toIsoDate(at),
  member: isMemberBy(association ?? ''),
});

/**
 * Issues of GitHub, through the account and the account client of the forge `github`: keys are
 * `<owner>/<name>#<number>`.
 */
export function createGithubIssuesTracker({
  settings,
  ...accounts
}: GithubAccounts & { settings: GithubSettings; clock: Clock }) {
  const { accountClient } = accounts;
  const client = new GithubClient(
    settings,
    createGithubCredentials(settings, accounts),
    accountClient.fetch,
  );
  const { host } = client.server;

  const placeIn = (ref: string): IssuePlace | null => {
    const text = ref.trim();
    const [, slug = '', number = ''] =
      /^(.+)#(\d{1,9})$/.exec(text) ??
      (text.startsWith(`${settings.web}/`)
        ? (/^([^/]+\/[^/]+)\/issues\/(\d{1,9})(?:[?#]|$)/.exec(
            text.slice(settings.web.length + 1),
          ) ?? [])
        : []);
    const place = slug === '' ? null : splitGithubSlug(settings, slug);
    return place && { ...place, issue_number: Number(number) };
  };
  const requirePlace = (ref: string): IssuePlace => {
    const place = placeIn(ref);
    if (place) return place;
    throw new SvcError(
      'not-found',
      `${JSON.stringify(ref.slice(0, 200))} is not an issue of ${host}: write <owner>/<name>#<number>.`,
    );
  };
  const formatKey = ({ owner, repo, issue_number: number }: IssuePlace): string =>
    `${owner}/${repo}#${number}`;
  const what = (place: IssuePlace): string => `issue ${formatKey(place)}`;

  const toIssue = (
    place: IssuePlace,
    data: RestIssue,
    lenientReader = new LenientReader(),
  ): Issue => {
    const reader = lenientReader.about(formatKey(place));
    return {
      key: formatKey(place),
      title: reader.readText('title', data.title),
      body: cutIssueText(removeMark(reader.readText('text', data.body))),
      status: reader.readValue('status', '', () => toGithubIssueStatus(data)),
      url: reader.readText('address', data.html_url),
      labels: reader.readList(
        'label',
        data.labels,
        (label) =>
          expectText(
            typeof label === 'object' ? (label.name ?? '') : label,
            'the name of a label',
          ) || [],
      ),
      links: [],
      member: isMemberBy(data.author_association ?? ''),
    };
  };
  const issue: JobTracker['issue'] = async (ref, noteUnread) => {
    const place = requirePlace(ref);
    const data = await client.get(what(place), ({ rest }) => rest.issues.get(place));
    // GitHub numbers both together, and pull requests belong to the forge.
    if (data.pull_request)
      throw new SvcError('not-found', `${formatKey(place)} is a pull request, not an issue.`);
    return readAnswer(client.server, what(place), () => {
      expectNumber(data.number, 'its number');
      return toIssue(place, data, new LenientReader(noteUnread));
    });
  };
  const rawComments = (place: IssuePlace, since?: string): Promise<RestComment[]> =>
    client.list(`comments of ${what(place)}`, ({ rest }, page) =>
      rest.issues.listComments({ ...place, ...page, ...(since === undefined ? {} : { since }) }),
    );

  return createJobTracker({
    id: 'github-issues',
    accountClient,
    issue,
    consistencyMs: CONSISTENCY_MS,
    commentsOnce: false,
    serves: (ref) => placeIn(ref) !== null,
    async comments(ref, noteUnread) {
      const newest = (await rawComments(requirePlace(ref))).slice(-MAX_COMMENTS);
      return new LenientReader(noteUnread).readItems('comment', newest, (one) => {
        checkComment(one);
        return toGithubIssueComment(one);
      });
    },
    async search(text, limit, noteUnread) {
      const most = Math.min(Math.max(1, limit), MAX_FOUND);
      const words = joinIntoOneLine(text);
      // Without an owner GitHub would search all of its repositories.
      const owner = settings.workspace || (await client.appOwner());
      const within = owner === null ? 'involves:@me' : `user:${owner}`;
      const q = `${words} is:issue ${/\b(?:repo|org|user):/.test(words) ? '' : within}`.trim();
      const about = 'a search of issues';
      const { data } = await client.run(about, (octokit) =>
        octokit.rest.search.issuesAndPullRequests({
          q,
          per_page: most,
          sort: 'updated',
          advanced_search: 'true',
        }),
      );
      const items = expectAnsweredList(client.server, about, Object(data).items as RestIssue[]);
      const reader = new LenientReader(noteUnread);
      return reader.readItems('issue', items, (item) => {
        const place = placeIn(expectText(item.html_url, 'its address'));
        return place ? toIssue(place, item, reader) : [];
      });
    },
    async addComment(ref, body, { operationId }) {
      const place = requirePlace(ref);
      const { data } = await client.run(what(place), (octokit) =>
        octokit.rest.issues.createComment({ ...place, body: addMark(body, operationId) }),
      );
      const { id, created_at: at } = Object(data);
      if (!isNumericId(id) || typeof at !== 'string')
        throw createUnconfirmedError(client.server, what(place));
      return toGithubIssueComment(data);
    },
    async findComment(ref, { at, operationId }) {
      const self = await client.self();
      const since = at === 0 ? undefined : new Date(at - CLOCKS_APART_MS).toISOString();
      const all = await rawComments(requirePlace(ref), since);
      const mine = all.find((one) => isWrittenBy(self, one, operationId));
      return mine ? toGithubIssueComment(mine) : null;
    },
    async move({ key, status }, target) {
      const name = target.trim().toLowerCase();
      const targetStatus = STATUSES.find(({ names }) => names.includes(name));
      if (!targetStatus) {
        const statusNames = STATUSES.map(({ names }) => names[0]).join(', ');
        throw new SvcError(
          'conflict',
          `${key} is ${status} and cannot become ${JSON.stringify(target)}. It can become: ${statusNames}.`,
        );
      }
      const place = requirePlace(key);
      const { data } = await client.run(what(place), (octokit) =>
        octokit.rest.issues.update({ ...place, ...targetStatus.set }),
      );
      if (Object(data).state !== targetStatus.set.state)
        throw createUnconfirmedError(client.server, what(place));
      return toIssue(place, data);
    },
    async self() {
      const login = await client.self();
      return { shown: `${login} at ${host}`, ids: [login] };
    },
  });
}
