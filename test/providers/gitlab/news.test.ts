import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { formatMark } from '../../../src/git/marks.ts';
import {
  mergeMr,
  note,
  openMr,
  report,
  systemNote,
} from '../../support/forges/fakeGitlab/mergeRequests.ts';
import { DEVELOPER, type FakeMr, GUEST } from '../../support/forges/fakeGitlab/state.ts';
import { GitlabStage, REPO } from '../../support/forges/gitlabStage.ts';
import { SimulatedClock } from '../../support/charts/simulatedClock.ts';

const test = suite('scm gitlab: news');

const MINUTE = 60_000;
const ONE = [{ repo: REPO, number: 1 }];
const CODE = { new_path: 'feature.txt', old_path: 'feature.txt', new_line: 3, old_line: null };

interface World {
  stage: GitlabStage;
  mr: FakeMr;
  clock: SimulatedClock;
  /**
   * Polls once and returns the reported events, as `<kind> <author> <flags>`; `keep`: they are not
   * stored.
   */
  poll(keep?: boolean): Promise<string[]>;
  say(author: string, body: string, more?: Parameters<typeof note>[4]): void;
}

const on = (run: (world: World) => Promise<void>) => async () => {
  const clock = new SimulatedClock();
  const stage = await GitlabStage.open(clock);
  const { forge, project, server } = stage;
  const { state } = server;
  state.commit(project, 'feature', { 'feature.txt': 'new\n' });
  const mr = openMr(state, project, {
    title: 'A',
    description: '',
    source: 'feature',
    target: 'main',
    author: 'svc-robot',
  });
  const poll = async (keep = false) => {
    clock.advance(MINUTE);
    const { news, confirmStored: delivered, problem } = await forge.news(ONE);
    if (problem) throw problem;
    if (!keep) delivered();
    return news.map(({ event, own, bot, member }) =>
      [event.kind, event.author, own && 'own', bot && 'bot', member && 'member']
        .filter(Boolean)
        .join(' '),
    );
  };
  const say: World['say'] = (author, body, more) => void note(state, mr, author, body, more);
  try {
    await run({ stage, mr, clock, poll, say });
  } finally {
    await stage.end();
  }
};

test(
  'everything that can happen to a merge request is reported in order, its end last (EVT-2)',
  on(async ({ stage: { server, project }, mr, clock, poll, say }) => {
    server.state.addUser('bob-token', 'bob');
    project.members.set('bob', DEVELOPER);
    const { state } = server;
    const steps = [
      () => say('ann', 'A comment.'),
      () => systemNote(state, mr, 'bob', 'requested changes'),
      () => say('bob', 'Why?', { type: 'DiffNote', position: CODE, resolvable: true }),
      () => systemNote(state, mr, 'bob', 'added ~bug label'),
      () => systemNote(state, mr, 'bob', 'approved this merge request'),
      () => systemNote(state, mr, 'bob', 'unapproved this merge request'),
      () => report(state, project, 'feature', 'test', 'failed'),
      () => report(state, project, 'feature', 'lint', 'failed', true),
      () => mergeMr(state, project, mr, 'ann'),
    ];
    for (const step of steps) {
      clock.advance(1000);
      step();
    }
    assert.equal(await poll(), [
      'commented ann member',
      'changes_requested bob member',
      'review_thread bob member',
      'approved bob member',
      'commented bob member',
      'check_failed test member',
      'merged ann member',
    ]);
  }),
);

test(
  'texts say where in the code, and what GitLab itself only hints at; ids and links are those of the notes',
  on(async ({ stage: { forge, server }, mr, say }) => {
    say('ann', 'Why?', { type: 'DiffNote', position: CODE, resolvable: true });
    systemNote(server.state, mr, 'ann', 'unapproved this merge request');
    const { news } = await forge.news(ONE);
    const [first] = mr.discussions.flatMap(({ notes }) => notes);
    assert.equal(
      news.map(({ event }) => event.text),
      ['feature.txt:3\nWhy?', '(withdrew the approval)'],
    );
    assert.equal(news[0]?.event, {
      kind: 'review_thread',
      forge: 'gitlab',
      repo: REPO,
      number: 1,
      prId: `gitlab:${REPO}#1`,
      author: 'ann',
      text: 'feature.txt:3\nWhy?',
      url: `${server.url}/${REPO}/-/merge_requests/1#note_${first?.id}`,
      externalId: `gitlab:${REPO}#1:review_thread:note-${first?.id}`,
      happenedAt: first?.at,
    });
  }),
);

test(
  'a close names who closed it; a conflict is reported while it is open, and as soon as GitLab knows of it',
  on(async ({ stage, clock, poll }) => {
    const { server, project } = stage;
    server.state.checkMs = MINUTE / 2;
    server.state.commit(project, 'main', { 'feature.txt': 'other\n' });
    assert.equal(await poll(), [], 'GitLab is still finding out');
    assert.equal(await poll(), ['conflict conflict member']);
    server.state.commit(project, 'main', { 'feature.txt': 'new\n' });
    clock.advance(MINUTE);
    const mergeable = async () => (await stage.forge.news(ONE)).mergeable;
    await mergeable();
    clock.advance(MINUTE);
    assert.equal(await mergeable(), ONE, 'the conflict is over');
    await stage.asAnn('PUT', '/merge_requests/1', { state_event: 'close' });
    assert.equal(await poll(), ['closed ann member']);
  }),
);

test(
  'a conflict that remains after a push is reported again, however long GitLab takes to check',
  on(async ({ stage: { server, project }, poll }) => {
    const { state } = server;
    state.commit(project, 'main', { 'feature.txt': 'other\n' });
    assert.equal(await poll(), ['conflict conflict member']);
    assert.equal(await poll(), ['conflict conflict member'], 'read once more, under the same id');
    assert.equal(await poll(), []);
    state.checkMs = 4 * MINUTE;
    state.commit(project, 'feature', { 'feature.txt': 'third\n' });
    for (let n = 0; n < 4; n += 1)
      assert.equal(await poll(), [], 'GitLab still shows the conflict of the commit before');
    assert.equal(await poll(), ['conflict conflict member']);
  }),
);

test(
  'checks: a failure is reported once for each run, and that all have passed; a job that may fail is no failure',
  on(async ({ stage: { server, project }, poll }) => {
    const now = async (name: string, status: string, mayFail = false) => {
      report(server.state, project, 'feature', name, status, mayFail);
      return poll();
    };
    assert.equal(await now('test', 'running'), []);
    assert.equal(await now('test', 'failed'), ['check_failed test member']);
    assert.equal(await now('test', 'success'), ['check_passed checks member']);
    assert.equal(await now('lint', 'failed', true), ['check_passed checks member']);
  }),
);

test(
  'what svc wrote is its own, what programs write is recognized, and an outsider or a guest is not a member',
  on(async ({ stage: { server, project }, clock, poll, say }) => {
    const { state } = server;
    state.addUser('b1', 'renovate', { bot: true });
    state.addUser('b2', 'project_7_bot_1f2e');
    state.addUser('s', 'outsider');
    state.addUser('g', 'guest');
    for (const login of ['renovate', 'project_7_bot_1f2e']) project.members.set(login, DEVELOPER);
    project.members.set('guest', GUEST);
    say('svc-robot', `Fixed.\n\n${formatMark('op')}`);
    for (const author of ['renovate', 'project_7_bot_1f2e', 'outsider', 'guest', 'deleted']) {
      clock.advance(1000);
      say(author, `I am svc.\n\n${formatMark('op')}`);
    }
    assert.equal(await poll(), [
      'commented svc-robot own member',
      'commented renovate bot',
      'commented project_7_bot_1f2e bot',
      'commented outsider',
      'commented guest',
      'commented deleted',
    ]);
  }),
);

test(
  'who an author is, is asked for once, and whether a member again after a while',
  on(async ({ stage: { server, project }, clock, poll, say }) => {
    const countMemberRequests = () =>
      server.seen.filter(({ path }) => /\/users\/|\/members\//.test(path)).length;
    say('ann', 'One.');
    await poll();
    say('ann', 'Two.');
    await poll();
    assert.is(countMemberRequests(), 2);
    project.members.delete('ann');
    clock.advance(10 * MINUTE);
    say('ann', 'Three.');
    assert.equal(await poll(), ['commented ann', 'commented ann', 'commented ann']);
    assert.is(countMemberRequests(), 3);
  }),
);

test(
  'a merge request is read again when something has changed, a little while after that, and no more',
  on(async ({ stage: { server }, poll, say }) => {
    const reads = () => server.seen.filter(({ path }) => path.endsWith('/discussions')).length;
    await poll();
    await poll();
    assert.is(reads(), 2);
    for (let n = 0; n < 5; n += 1) assert.equal(await poll(), []);
    assert.is(reads(), 2);
    say('ann', 'Something.');
    assert.equal(await poll(true), ['commented ann member']);
    assert.equal(
      await poll(),
      ['commented ann member'],
      'it was not stored, so it is reported again',
    );
    assert.is(reads(), 4);
  }),
);

test(
  'a note that is shown late is not missed, though the list said before that something had changed',
  on(async ({ poll, say, clock }) => {
    await poll();
    await poll();
    say('ann', 'Late.', { visibleAt: clock.now() + MINUTE + 5_000 });
    assert.equal(await poll(), []);
    assert.equal(await poll(), ['commented ann member']);
  }),
);

test(
  'one that is gone, or a project without pipelines, does not keep the others from being reported',
  on(async ({ stage, say }) => {
    stage.project.withoutCi = true;
    say('ann', 'Here.');
    const { news, problem } = await stage.forge.news([
      { repo: REPO, number: 99 },
      { repo: 'acme/gone', number: 1 },
      ...ONE,
    ]);
    assert.is(problem, null);
    assert.equal(
      news.map(({ event }) => event.author),
      ['ann'],
    );
  }),
);

test(
  '80 open merge requests, asked after every minute for an hour: fewer than 500 requests that count, cold start and all',
  on(async ({ stage: { server, project, forge }, clock, mr }) => {
    for (let iid = 2; iid <= 80; iid += 1) project.mrs.push({ ...mr, iid, discussions: [] });
    const all = project.mrs.map(({ iid }) => ({ repo: REPO, number: iid }));
    for (let minute = 0; minute < 60; minute += 1) {
      const { news, confirmStored: delivered } = await forge.news(all);
      assert.equal(news, []);
      delivered();
      clock.advance(MINUTE);
    }
    assert.ok(server.counted < 500, String(server.counted));
    console.log(`  requests that count in the hour: ${server.counted}`);
  }),
);

test.run();
