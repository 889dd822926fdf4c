import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { RemoteForge } from '../../../src/contract/forge/remoteForge.ts';
import { SimulatedClock } from '../../support/charts/simulatedClock.ts';
import { BitbucketStage } from '../../support/forges/bitbucketStage.ts';
import { type ForgeRequest, changedAnswers } from '../../support/forges/changedAnswers.ts';
import { openPr } from '../../support/forges/fakeGithub/pulls.ts';
import { note, openMr } from '../../support/forges/fakeGitlab/mergeRequests.ts';
import { GithubStage, REPO as GITHUB_REPO } from '../../support/forges/githubStage.ts';
import { GitlabStage, REPO as GITLAB_REPO } from '../../support/forges/gitlabStage.ts';

const test = suite('a pull request of a wrong shape keeps no other one from being reported');

/** A server with three open pull requests, each of them with a comment of ann. */
interface Stage {
  repo: string;
  forge(fetch: typeof globalThis.fetch): RemoteForge;
  end(): Promise<void>;
}
/** Changes an answer about pull request 2, and answers it. */
type Change = (body: unknown, request: ForgeRequest) => unknown;
type Path = readonly (string | number)[];

/** Puts a value at a path; undefined removes it. */
const put =
  (value: unknown, ...path: Path): Change =>
  (body) => {
    let here: object = Object(body);
    for (const step of path.slice(0, -1)) here = Object(Reflect.get(here, step));
    const last = path.at(-1) ?? '';
    if (value === undefined) Reflect.deleteProperty(here, last);
    else Reflect.set(here, last, value);
    return body;
  };

interface Case {
  /** Which of the answers are changed. */
  about(request: ForgeRequest): boolean;
  change: Change;
  /** What the reason says; null = it gets none, since it gives no answer. */
  why: RegExp | null;
  /** What is reported of it nevertheless; default nothing. */
  kept?: string;
}

const NUMBERS = [1, 2, 3];
const ofOthers = ['1 commented', '3 commented'];

function shapes(name: string, open: () => Promise<Stage>, cases: Record<string, Case>): void {
  let opened: Promise<Stage> | null = null;
  test.after(async () => (await opened)?.end());
  for (const [title, { about, change, why, kept }] of Object.entries(cases)) {
    test(`${name}: ${title}`, async () => {
      opened ??= open();
      const stage = await opened;
      const { repo } = stage;
      const fetch = changedAnswers((request, body) =>
        about(request) ? change(body, request) : undefined,
      );
      const prs = NUMBERS.map((number) => ({ repo, number }));
      const batch = await stage.forge(fetch).news(prs);
      const { news, unseen = [], hindered = [], unanswered = [], problem, seen = [] } = batch;
      assert.is(problem, null, String(problem));
      assert.equal(
        news.map(({ event }) => `${event.number} ${event.kind}`),
        [...ofOthers, ...(kept ? [kept] : [])].toSorted(),
      );
      assert.equal(
        seen.map(({ number }) => number),
        [1, 3],
      );
      // One bad item is left out of a pull request that is read; of a bad list nothing is known.
      const unreadPrs = why === null ? unanswered : [...unseen, ...hindered];
      assert.equal(
        unreadPrs.map(({ number }) => number),
        [2],
      );
      if (hindered.length === 0) assert.match(unreadPrs[0]?.why ?? '', `${repo}#2`);
      if (why !== null) assert.match(unreadPrs[0]?.why ?? '', why);
    });
  }
}

async function github(): Promise<Stage> {
  const stage = await GithubStage.open(new SimulatedClock());
  const { state } = stage.github;
  for (const number of NUMBERS) {
    state.commit(stage.repo, `f${number}`, { [`${number}.txt`]: 'new\n' });
    const more = { title: 'A', body: '', base: 'main', author: 'svc-robot' };
    const pr = openPr(state, stage.repo, { head: `f${number}`, ...more });
    const at = { at: 0, visibleAt: 0, association: 'MEMBER' };
    pr.comments.push({ id: state.id(), author: 'ann', body: 'Why?', ...at });
  }
  return {
    repo: GITHUB_REPO,
    forge: (fetch) => stage.makeForge({ fetch }),
    end: () => stage.end(),
  };
}

const whole = ({ variables }: ForgeRequest) => variables.number === 2;
const PR = ['data', 'repository', 'pullRequest'];
const COMMENT = [...PR, 'comments', 'nodes', 0];
const of = (change: Change, why: RegExp | null, about = whole): Case => ({ about, change, why });
const FAILED = { message: 'Something went wrong' };

shapes('GitHub', github, {
  'a comment without a body': of(
    put(undefined, ...COMMENT, 'body'),
    /the body of a comment is not a string/,
  ),
  'a comment without an id': of(
    put({ body: 'Why?', createdAt: '2026-01-01T00:00:00Z', author: null }, ...COMMENT),
    /the id of a comment is neither a number nor a text/,
  ),
  'a comment whose date is none': of(
    put('yesterday', ...COMMENT, 'createdAt'),
    /the date of a comment is not a date/,
  ),
  'no author member': of(
    put(undefined, ...COMMENT, 'author'),
    /the name of an author is not a string|not as expected/,
  ),
  'an author whose name is a list': of(
    put({ __typename: 'User', login: [] }, ...COMMENT, 'author'),
    /the name of an author is not a string|not as expected/,
  ),
  'null where the list of comments is expected': of(
    put(null, ...PR, 'comments'),
    /its comments cannot be read/,
  ),
  'a text where the list of threads is expected': {
    ...of(put('none', ...PR, 'reviewThreads'), /its threads cannot be read/),
    kept: '2 commented',
  },
  'its number as text': of(put('2', ...PR, 'number'), /its number is not a number/),
  'a state that does not exist': of(
    put('GONE', ...PR, 'state'),
    /its state is not one of OPEN, CLOSED, MERGED/,
  ),
  'no pull request in the answer': of(put(null, ...PR), /answers without pull request/),
  'an error of GraphQL for this one alone': of(
    () => ({
      data: { repository: { pullRequest: null } },
      errors: [{ ...FAILED, path: ['repository', 'pullRequest'] }],
    }),
    null,
  ),
  'an error for its part of the question about all, without a type': of(
    (body, request) =>
      whole(request)
        ? put(7, ...PR, 'comments')(body, request)
        : {
            ...Object(put(null, 'data', 'p1')(body, request)),
            errors: [{ ...FAILED, path: ['p1'] }],
          },
    /its comments cannot be read/,
    (request) => whole(request) || 'n0' in request.variables,
  ),
});

async function gitlab(): Promise<Stage> {
  const stage = await GitlabStage.open(new SimulatedClock());
  const { state } = stage.server;
  for (const number of NUMBERS) {
    state.commit(stage.project, `f${number}`, { [`${number}.txt`]: 'new\n' });
    const more = { title: 'A', description: '', target: 'main', author: 'svc-robot' };
    note(state, openMr(state, stage.project, { source: `f${number}`, ...more }), 'ann', 'Why?');
  }
  return {
    repo: GITLAB_REPO,
    forge: (fetch) => stage.makeForge({ fetch }),
    end: () => stage.end(),
  };
}

const at = (pattern: RegExp) => (request: ForgeRequest) => pattern.test(request.path);
const talk = at(/merge_requests\/2\/discussions/);
const mr2 = at(/merge_requests\/2$/);
const list = at(/merge_requests\?/);

const asText: Change = (body, request) => {
  for (const mr of [body].flat()) if (Object(mr).iid === 2) put('2', 'iid')(mr, request);
  return body;
};

shapes('GitLab', gitlab, {
  'a note without a body': of(
    put(undefined, 0, 'notes', 0, 'body'),
    /the body of a note is not a string/,
    talk,
  ),
  'a note without an id': of(
    put(undefined, 0, 'notes', 0, 'id'),
    /the id of a note is neither/,
    talk,
  ),
  'a note whose date is none': of(
    put('soon', 0, 'notes', 0, 'created_at'),
    /the date of a note is not a date/,
    talk,
  ),
  'null among the discussions': of(put(null, 0), /not as expected/, talk),
  'an object where the list of discussions is expected': of(
    () => ({ message: 'none' }),
    /something other than a list/,
    talk,
  ),
  'a number in its place': of(() => 0, /a number instead of an object/, mr2),
  'its number as text': of(asText, /its number is not a number/, mr2),
  'no name of the project': of(
    put(undefined, 'references'),
    /the name of its project is not a string/,
    mr2,
  ),
  'its number as text in the list of all, and then in itself': of(
    asText,
    /its number is not a number/,
    (request) => list(request) || mr2(request),
  ),
});

test('GitLab: pipelines of a wrong shape keep no merge request from being reported', async () => {
  const stage = await gitlab();
  const fetch = changedAnswers(({ path }) =>
    path.includes('/pipelines') ? [null, 7, { id: 1, sha: 2, ref: null }] : undefined,
  );
  const prs = NUMBERS.map((number) => ({ repo: stage.repo, number }));
  const { news, unseen } = await stage.forge(fetch).news(prs);
  await stage.end();
  assert.equal([news.length, unseen], [3, []]);
});

async function bitbucket(): Promise<Stage> {
  const stage = await BitbucketStage.open(new SimulatedClock());
  const { state } = stage.bitbucket;
  for (const number of NUMBERS) {
    state.commit(stage.repo, `f${number}`, { [`${number}.txt`]: 'new\n' });
    const more = { title: 'A', description: '', base: 'main', author: 'svc-robot' };
    state.say(state.openPr(stage.repo, { head: `f${number}`, ...more }), 'ann', 'Why?');
  }
  return {
    repo: 'acme/shop',
    forge: (fetch) => stage.makeForge({ fetch }),
    end: () => stage.end(),
  };
}

const comments = at(/pullrequests\/2\/comments/);
const self2 = at(/pullrequests\/2$/);
const open = at(/pullrequests\?/);

shapes('Bitbucket', bitbucket, {
  'a comment without a body': of(
    put(undefined, 'values', 0, 'content', 'raw'),
    /the body of a comment is not a string/,
    comments,
  ),
  'a comment without an id': of(
    put(undefined, 'values', 0, 'id'),
    /the id of a comment is neither/,
    comments,
  ),
  'a comment whose date is none': of(
    put('soon', 'values', 0, 'created_on'),
    /the date of a comment is not a date/,
    comments,
  ),
  'null where the list of comments is expected': of(
    put(null, 'values'),
    /something other than a list/,
    comments,
  ),
  'a text among the participants': {
    ...of(put(['ann'], 'participants'), /not as expected/, self2),
    kept: '2 commented',
  },
  'its number as text': of(put('2', 'id'), /its number is not a number/, self2),
  'a state that does not exist': of(put('QUEUED', 'state'), /its state is not one of OPEN/, self2),
  'null in the list of all, and no list of comments': of(
    (body, request) => put(request.path.includes('comments') ? 7 : [null], 'values')(body, request),
    /something other than a list/,
    (request) => open(request) || comments(request),
  ),
});

test.run();
