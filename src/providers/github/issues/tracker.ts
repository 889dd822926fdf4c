import { toIsoDate } from '../../../lib/untrusted.ts';
import { SvcError } from '../../../lib/errors.ts';
import type { Clock } from '../../../lib/clock.ts';
import { credentialsOf, type GithubAccounts } from '../app/credentials.ts';
import { boundedPages } from '../forge/boundedPages.ts';
import { GithubClient } from '../forge/client.ts';
import { isMemberBy } from '../forge/members.ts';
import { type GithubSettings, splitSlug } from '../forge/settings.ts';
import { isNumericId } from '../../rest/expectedValues.ts';
import { unlikeAnAnswer } from '../../rest/refusal.ts';
import { hasMark, marked, withoutMark } from '../../../git/marks.ts';
import { cut, MAX_COMMENTS, MAX_FOUND } from '../../rest/trackerLimits.ts';
import { trackerOf } from '../../rest/trackerOf.ts';
import type { Issue, IssueComment } from '../../../contract/tracker.ts';

/** How long an answer of GitHub may be older than a write, ms. */
const CONSISTENCY_MS = 10_000;
/** How much earlier than our own clock GitHub's may say that it was written, ms. */
const CLOCKS_APART_MS = 5 * 60_000;

type Rest = GithubClient['octokit']['rest'];
type RestIssue = Awaited<ReturnType<Rest['issues']['get']>>['data'];
type RestComment = Awaited<ReturnType<Rest['issues']['listComments']>>['data'][number];

/** A status and how it is set at GitHub; the first name of each is the one that is shown. */
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

const statusOf = ({
  state,
  state_reason: reason,
}: Pick<RestIssue, 'state' | 'state_reason'>): string =>
  state === 'open' ? 'open' : reason === 'not_planned' ? 'not planned' : 'closed';

/** A type, not an interface, so that it is also a record of request parameters. */
type Place = { owner: string; repo: string; issue_number: number };

const commentOf = ({
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
  body: cut(withoutMark(body ?? '')),
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
  const client = new GithubClient(settings, credentialsOf(settings, accounts), accountClient.fetch);
  const { host } = client.server;

  const placeIn = (ref: string): Place | null => {
    const text = ref.trim();
    const [, slug = '', number = ''] =
      /^(.+)#(\d{1,9})$/.exec(text) ??
      (text.startsWith(`${settings.web}/`)
        ? (/^([^/]+\/[^/]+)\/issues\/(\d{1,9})(?:[?#]|$)/.exec(
            text.slice(settings.web.length + 1),
          ) ?? [])
        : []);
    const place = slug === '' ? null : splitSlug(settings, slug);
    return place && { ...place, issue_number: Number(number) };
  };
  const placeOf = (ref: string): Place => {
    const place = placeIn(ref);
    if (place) return place;
    throw new SvcError(
      'not-found',
      `${JSON.stringify(ref.slice(0, 200))} is not an issue of ${host}: write <owner>/<name>#<number>.`,
    );
  };
  const keyOf = ({ owner, repo, issue_number: number }: Place): string =>
    `${owner}/${repo}#${number}`;
  const what = (place: Place): string => `issue ${keyOf(place)}`;

  const issueOf = (place: Place, data: RestIssue): Issue => ({
    key: keyOf(place),
    title: data.title,
    body: cut(withoutMark(data.body ?? '')),
    status: statusOf(data),
    url: data.html_url,
    labels: data.labels.flatMap((label) =>
      typeof label === 'string' ? label : (label.name ?? []),
    ),
    links: [],
    member: isMemberBy(data.author_association ?? ''),
  });
  const issue = async (ref: string): Promise<Issue> => {
    const place = placeOf(ref);
    const { data } = await client.run(what(place), (octokit) => octokit.rest.issues.get(place));
    // GitHub numbers both together, and a pull request is the forge's affair.
    if (data.pull_request)
      throw new SvcError('not-found', `${keyOf(place)} is a pull request, not an issue.`);
    return issueOf(place, data);
  };
  const rawComments = (place: Place, since?: string): Promise<RestComment[]> =>
    client.run(`comments of ${what(place)}`, (octokit) =>
      octokit.paginate(
        octokit.rest.issues.listComments,
        { ...place, per_page: 100, ...(since === undefined ? {} : { since }) },
        boundedPages<RestComment>(),
      ),
    );

  return trackerOf({
    id: 'github-issues',
    accountClient,
    issue,
    consistencyMs: CONSISTENCY_MS,
    commentsOnce: false,
    serves: (ref) => placeIn(ref) !== null,
    comments: async (ref) => (await rawComments(placeOf(ref))).slice(-MAX_COMMENTS).map(commentOf),
    async search(text, limit) {
      const most = Math.min(Math.max(1, limit), MAX_FOUND);
      const words = text.replace(/\s+/g, ' ').trim();
      // Without an owner GitHub would search all of its repositories.
      const owner = settings.workspace || (await client.appOwner());
      const within = owner === null ? 'involves:@me' : `user:${owner}`;
      const q = `${words} is:issue ${/\b(?:repo|org|user):/.test(words) ? '' : within}`.trim();
      const { data } = await client.run('a search of issues', (octokit) =>
        octokit.rest.search.issuesAndPullRequests({
          q,
          per_page: most,
          sort: 'updated',
          advanced_search: 'true',
        }),
      );
      return data.items.flatMap((item) => {
        const place = placeIn(item.html_url);
        return place ? issueOf(place, item as RestIssue) : [];
      });
    },
    async addComment(ref, body, { operationId }) {
      const place = placeOf(ref);
      const { data } = await client.run(what(place), (octokit) =>
        octokit.rest.issues.createComment({ ...place, body: marked(body, operationId) }),
      );
      const { id, created_at: at } = Object(data);
      if (!isNumericId(id) || typeof at !== 'string')
        throw unlikeAnAnswer(client.server, what(place));
      return commentOf(data);
    },
    async findComment(ref, { at, operationId }) {
      const self = await client.self();
      const since = at === 0 ? undefined : new Date(at - CLOCKS_APART_MS).toISOString();
      const all = await rawComments(placeOf(ref), since);
      const mine = all.find(
        ({ body, user }) => user?.login === self && hasMark(body ?? '', operationId),
      );
      return mine ? commentOf(mine) : null;
    },
    async move({ key, status }, wanted) {
      const name = wanted.trim().toLowerCase();
      const found = STATUSES.find(({ names }) => names.includes(name));
      if (!found) {
        const known = STATUSES.map(({ names }) => names[0]).join(', ');
        throw new SvcError(
          'conflict',
          `${key} is ${status} and cannot become ${JSON.stringify(wanted)}. It can become: ${known}.`,
        );
      }
      const place = placeOf(key);
      const { data } = await client.run(what(place), (octokit) =>
        octokit.rest.issues.update({ ...place, ...found.set }),
      );
      if (Object(data).state !== found.set.state) throw unlikeAnAnswer(client.server, what(place));
      return issueOf(place, data);
    },
    async self() {
      const login = await client.self();
      return { shown: `${login} at ${host}`, ids: [login] };
    },
  });
}
