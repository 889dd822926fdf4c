import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { formatLinkMark } from '../../../src/git/marks.ts';
import { mayWake, parseWakeRules } from '../../../src/providers/rest/wakeRules.ts';
import { BitbucketStage, REPO } from '../../support/forges/bitbucketStage.ts';
import type { FakeBuild, FakePr, FakeState } from '../../support/forges/fakeBitbucket/state.ts';
import { SimulatedClock } from '../../support/charts/simulatedClock.ts';

const test = suite('scm bitbucket: news');

const MINUTE = 60_000;
const ONE = [{ repo: REPO, number: 1 }];
const inline = { path: 'feature.txt', from: null, to: 3, outdated: false };

interface World {
  stage: BitbucketStage;
  state: FakeState;
  pr: FakePr;
  clock: SimulatedClock;
  /**
   * Polls once and returns the reported events, as `<kind> <author> <flags>`; `keep`: they are not
   * stored.
   */
  poll(keep?: boolean): Promise<string[]>;
  build(result: FakeBuild['state']): void;
}

const on = (run: (world: World) => Promise<void>) => async () => {
  const clock = new SimulatedClock();
  const stage = await BitbucketStage.open(clock);
  const { state } = stage.bitbucket;
  const pr = stage.opened();
  const poll = async (keep = false) => {
    clock.advance(MINUTE);
    const { news, confirmStored: delivered, problem } = await stage.forge.news(ONE);
    if (problem) throw problem;
    if (!keep) delivered();
    return news.map(({ event, own, bot, member }) =>
      [event.kind, event.author, own && 'own', bot && 'bot', member && 'member']
        .filter(Boolean)
        .join(' '),
    );
  };
  const build: World['build'] = (result) => {
    pr.builds = [
      {
        key: 'test',
        name: 'test',
        state: result,
        commit: state.readHead(stage.repo, pr),
        at: clock.now(),
      },
    ];
  };
  try {
    await run({ stage, state, pr, clock, poll, build });
  } finally {
    await stage.end();
  }
};

test(
  'everything that can happen to a pull request is reported in order, its end last (EVT-2)',
  on(async ({ stage, state, pr, clock, poll, build }) => {
    const later = <T>(happens: () => T): T => {
      clock.advance(1000);
      return happens();
    };
    state.say(pr, 'ann', 'A comment.');
    const why = later(() => state.say(pr, 'ann', 'Why?', { inline }));
    later(() => state.say(pr, 'ann', 'Well?', { parent: why.id }));
    later(() => state.review(pr, 'ann', 'approved'));
    later(() => build('FAILED'));
    later(() => state.mergePr(stage.repo, pr, 'ann', 'Merged'));
    const { news } = await stage.forge.news(ONE);
    assert.equal(
      news.map(({ event }) => [event.kind, event.author, event.text]),
      [
        ['commented', 'ann', 'A comment.'],
        ['review_thread', 'ann', 'feature.txt:3\nWhy?'],
        ['review_thread', 'ann', 'feature.txt:3\nWell?'],
        ['approved', 'ann', ''],
        ['check_failed', 'test', 'The check test has failed.'],
        ['merged', 'ann', ''],
      ],
    );
    assert.is((await poll()).at(-1), 'merged ann member');
  }),
);

test(
  'changes requested, a decline with who declined, a conflict while it is open',
  on(async ({ stage, state, pr, poll }) => {
    state.commit(stage.repo, 'main', { 'feature.txt': 'other\n' });
    assert.equal(await poll(), ['conflict conflict member']);
    state.review(pr, 'ann', 'changes_requested');
    assert.equal(await poll(), ['changes_requested ann member', 'conflict conflict member']);
    state.declinePr(pr, 'ann');
    assert.equal(await poll(), ['changes_requested ann member', 'closed ann member']);
  }),
);

test(
  'a pull request without a conflict is reported as mergeable, so that a conflict that comes back is news again',
  on(async ({ stage, state, pr, clock }) => {
    const mergeable = async () => {
      clock.advance(MINUTE);
      return (await stage.forge.news(ONE)).mergeable;
    };
    assert.equal(await mergeable(), ONE);
    state.commit(stage.repo, 'main', { 'feature.txt': 'other\n' });
    state.review(pr, 'ann', 'changes_requested');
    assert.equal(await mergeable(), []);
  }),
);

test(
  'builds are reported although the pull request does not change with them; the same result is reported once',
  on(async ({ clock, poll, build }) => {
    clock.advance(3_600_000);
    assert.equal(await poll(), []);
    build('INPROGRESS');
    assert.equal(await poll(), []);
    build('FAILED');
    assert.equal(await poll(), ['check_failed test member']);
    assert.equal(await poll(), []);
    clock.advance(3 * 3_600_000);
    build('SUCCESSFUL');
    assert.equal(await poll(), ['check_passed checks member'], 'also hours after the last change');
  }),
);

test(
  'what svc wrote is its own, programs are recognized, and an outsider is not a member, whatever their name',
  on(async ({ state, pr, poll }) => {
    state.addUser('bot', 'helper', { kind: 'access-token', workspace: 'acme' });
    state.addUser('outsider', 'outsider');
    state.say(pr, 'svc-robot', `Fixed.\n\n${formatLinkMark('op')}`);
    state.say(pr, 'helper', 'Coverage: 80 %');
    state.say(pr, 'outsider', `I am svc.\n\n${formatLinkMark('op')}`);
    assert.equal(await poll(), [
      'commented svc-robot own member',
      'commented helper bot',
      'commented outsider',
    ]);
  }),
);

test(
  'lists of authors go by account, since anybody may take any nickname',
  on(async ({ stage, state, pr }) => {
    state.say(pr, 'ann', 'Here.');
    const [news] = (await stage.forge.news(ONE)).news;
    assert.ok(news);
    const { uuid } = state.user('ann');
    const may = (who: string, never = '') => mayWake(news, parseWakeRules(who, never));
    assert.equal(may(''), true);
    assert.equal(may('ann'), false);
    assert.equal(may(uuid), true);
    assert.equal(may('712020:ann'), true);
    assert.equal(may('*', 'ann'), false);
    assert.equal(may('*', uuid.toUpperCase()), false);
  }),
);

test(
  'where the token may not see who is a member, those who can speak in a private repository are, and reviewers everywhere',
  on(async ({ stage, state, pr }) => {
    stage.bitbucket.fault = ({ path }) =>
      path.includes('/members') ? { status: 403, body: {} } : null;
    state.addUser('eve-token', 'eve');
    state.say(pr, 'ann', 'One.');
    state.say(pr, 'eve', 'Two.');
    state.review(pr, 'eve', null, 'REVIEWER');
    const members = async () =>
      (await stage.makeForge().news(ONE)).news.map(({ member }) => member);
    assert.equal(await members(), [false, true]);
    stage.repo.private = true;
    assert.equal(await members(), [true, true]);
  }),
);

test(
  'the same thing has the same id in every poll; what was not stored is reported again',
  on(async ({ stage, state, pr, clock, poll }) => {
    state.say(pr, 'ann', 'One.');
    assert.is((await poll(true)).length, 1);
    assert.is((await poll()).length, 1, 'reported again, since it was not stored');
    const fresh = stage.makeForge();
    const ids = async () => (await fresh.news(ONE)).news.map(({ event }) => event.externalId);
    const first = await ids();
    assert.equal(first, [`bitbucket:${REPO}#1:commented:1001`]);
    clock.advance(MINUTE);
    fresh.touch(ONE);
    assert.equal(await ids(), first);
  }),
);

test(
  'one that is gone does not keep the others from being reported',
  on(async ({ stage, state, pr }) => {
    state.say(pr, 'ann', 'Here.');
    const { news } = await stage.forge.news([
      { repo: REPO, number: 99 },
      { repo: 'acme/gone', number: 1 },
      ...ONE,
    ]);
    assert.equal(
      news.map(({ event }) => event.author),
      ['ann'],
    );
  }),
);

test.run();
