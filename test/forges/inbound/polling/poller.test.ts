import { PrSight } from '../../../../src/forges/inbound/polling/prSight.ts';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Submission, SubmitResult } from '../../../../src/kernel/contract.ts';
import { silentLog } from '../../../../src/base/system/log/log.ts';
import { SvcError } from '../../../../src/base/errors/errors.ts';
import type { ProviderEventKind } from '../../../../src/contract/schema/forge/pr.ts';
import { Pollers } from '../../../../src/forges/inbound/polling/pollers.ts';
import type { RemoteForge } from '../../../../src/contract/forge/remoteForge.ts';
import type { NewsBatch, PrAddress, AuthoredEvent } from '../../../../src/contract/forge/forge.ts';
import { parseWakeRules } from '../../../../src/providers/rest/wakeRules.ts';
import type { RowReader } from '../../../../src/contract/records/rowReader.ts';
import { SimulatedClock } from '../../../support/charts/simulatedClock.ts';

const test = suite('runner: polling of forges');

const PRS = [
  { repo: 'acme/shop', number: 1, job_id: 'job-live', state: 'open' },
  { repo: 'acme/shop', number: 2, job_id: 'job-ended', state: 'open' },
  { repo: 'acme/site', number: 3, job_id: 'job-live', state: 'closed' },
  { repo: 'acme/site', number: 4, job_id: 'job-live', state: 'merged' },
];

const news = (
  kind: ProviderEventKind,
  id: string,
  more: Partial<AuthoredEvent> = {},
): AuthoredEvent => ({
  own: false,
  bot: false,
  member: true,
  ...more,
  event: {
    kind,
    forge: 'github',
    repo: 'acme/shop',
    number: 1,
    prId: 'github:acme/shop#1',
    author: 'ann',
    text: '',
    url: '',
    externalId: id,
    happenedAt: 0,
  },
});

/** Pollers of one forge that answers these batches, one a poll; the last one again and again. */
function world(batches: (() => AuthoredEvent[])[]) {
  const clock = new SimulatedClock();
  const polls: { at: number; prs: readonly PrAddress[] }[] = [];
  const sent: { to: string; externalId: string | undefined; source: string | undefined }[] = [];
  let delivered = 0;
  const start = clock.now();
  const rows = {
    all: (table: string, { repo, number }: PrAddress) =>
      PRS.filter((pr) => table === 'pr_mappings' && pr.repo === repo && pr.number === number),
    one: () => undefined,
    count: () => 0,
  } as Partial<RowReader> as RowReader;
  const forge = {
    id: 'github',
    consistencyMs: 10_000,
    capabilities: { remote: true, createRepo: true },
    async news(prs: readonly PrAddress[]): Promise<NewsBatch> {
      const batch = batches[Math.min(polls.length, batches.length - 1)] ?? (() => []);
      polls.push({ at: clock.now() - start, prs });
      return { news: batch(), confirmStored: () => (delivered += 1), problem: null };
    },
  } as Partial<RemoteForge> as RemoteForge;
  let storeFails = false;
  const logged: NonNullable<Submission['frames']> = [];
  let intervalMs = 60_000;
  const installed = [forge];
  const pollers = new Pollers({
    awaits: () => false,
    place: () => ({ phase: 'coding', visit: 2 }),
    kernel: {
      async submit({ sends = [], frames = [] }: Submission): Promise<SubmitResult> {
        if (storeFails) throw new Error('the disk is full');
        logged.push(...frames);
        for (const { to, externalId, source } of sends) sent.push({ to, externalId, source });
        return { started: [], sends: [] };
      },
    },
    rows,
    sight: new PrSight({ rows, prs: { withProblem: () => [] } }),
    clock,
    log: silentLog,
    forges: () => installed,
    random: () => 0.5,
    listWatched: (id) =>
      id.startsWith('github')
        ? PRS.filter((pr) => pr.job_id === 'job-live' && pr.state !== 'merged').map(
            ({ repo, number }) => ({ repo, number }),
          )
        : [],
    readSettings: () => ({ intervalMs, rules: parseWakeRules('', '') }),
  });
  const settle = async () => {
    for (let n = 0; n < 20; n += 1) await new Promise((resolve) => setImmediate(resolve));
  };
  const advance = async (ms: number) => {
    clock.advance(ms);
    await settle();
  };
  return {
    pollers,
    polls,
    sent,
    logged,
    advance,
    settle,
    delivered: () => delivered,
    failStore: (fails: boolean) => (storeFails = fails),
    setInterval: (ms: number) => (intervalMs = ms),
    install: (id: string) => installed.push({ ...forge, id }),
  };
}

const times = ({ polls }: ReturnType<typeof world>) => polls.map(({ at }) => at);

test('it asks at once when it starts, then every interval, after every open pull request of every live job (EVT-2 RUN-4)', async () => {
  const it = world([() => []]);
  it.pollers.start();
  await it.settle();
  await it.advance(60_000);
  await it.advance(60_000);
  assert.equal(times(it), [0, 60_000, 120_000]);
  assert.equal(it.polls[0]?.prs, [
    { repo: 'acme/shop', number: 1 },
    { repo: 'acme/site', number: 3 },
  ]);
  it.pollers.stop();
  await it.advance(600_000);
  assert.is(it.polls.length, 3);
});

test('what may wake goes to the owner of the pull request, under the forge’s own id; the rest goes nowhere', async () => {
  const it = world([
    () => [
      news('commented', 'a'),
      news('commented', 'bot', { bot: true }),
      news('commented', 'own', { own: true }),
      news('commented', 'outsider', { member: false }),
      news('merged', 'b', { own: true }),
    ],
  ]);
  it.pollers.start();
  await it.settle();
  assert.equal(it.sent, [
    { to: 'job-live', externalId: 'a', source: 'forge:github' },
    { to: 'job-live', externalId: 'b', source: 'forge:github' },
  ]);
});

test('the log of the owner says why what an outsider did does not reach it', async () => {
  const it = world([
    () => [news('commented', 'a'), news('approved', 'outsider', { member: false })],
    () => [],
  ]);
  it.pollers.start();
  await it.settle();
  await it.advance(60_000);
  assert.equal(
    it.logged.map(({ actor, frame }) => [actor, Object(frame.data).line]),
    [
      [
        'job-live',
        'approved on github:acme/shop#1 by ann does not reach this job: ann is not a member (wakeAuthors of github can name others)',
      ],
    ],
  );
});

test('what could not be stored is not forgotten by the forge; failures make the waits grow, and end with a success', async () => {
  const it = world([() => [news('commented', 'a')]]);
  it.failStore(true);
  it.pollers.start();
  await it.settle();
  assert.is(it.delivered(), 0);
  await it.advance(119_999);
  assert.equal(times(it), [0]);
  await it.advance(1);
  await it.advance(240_000);
  assert.equal(times(it), [0, 120_000, 360_000]);
  it.failStore(false);
  await it.advance(480_000);
  await it.advance(60_000);
  assert.equal(times(it).slice(3), [840_000, 900_000]);
  assert.equal(it.delivered(), 2);
  assert.equal(it.sent.length, 2);
});

test('a forge that names the time before which it wants no questions is asked none', async () => {
  let limited = true;
  const it = world([
    () => {
      if (!limited) return [];
      throw new SvcError('rate-limited', 'later', {
        data: { resetsAt: new Date(Date.UTC(2026, 0, 1) + 1_800_000).toISOString() },
      });
    },
  ]);
  it.pollers.start();
  await it.settle();
  limited = false;
  it.pollers.nudge('github');
  await it.advance(1_799_999);
  assert.equal(times(it), [0]);
  await it.advance(1);
  assert.equal(times(it), [0, 1_800_000]);
});

test('a request to poll now need not wait, not even for the poll that is in progress', async () => {
  const it = world([() => []]);
  it.pollers.start();
  it.pollers.nudge('github');
  await it.settle();
  assert.equal(times(it), [0, 0]);
  await it.advance(1_000);
  it.pollers.nudge('github');
  await it.settle();
  assert.equal(times(it), [0, 0, 1_000]);
});

test('a requested poll that fails is repeated soon, not when the interval is over', async () => {
  const it = world([() => [], () => [news('commented', 'a')]]);
  it.setInterval(3_600_000);
  it.pollers.start();
  await it.settle();
  it.failStore(true);
  it.pollers.nudge('github');
  await it.settle();
  await it.advance(4_000);
  it.failStore(false);
  await it.advance(8_000);
  assert.equal(times(it), [0, 0, 4_000, 12_000]);
  assert.is(it.sent.length, 1);
  await it.advance(2_000);
  await it.advance(10_000);
  assert.equal(times(it).slice(4), [14_000, 24_000]);
});

test('a poll that is requested while the forge refuses requests comes as soon as it takes them', async () => {
  let limited = true;
  const it = world([
    () => {
      if (!limited) return [];
      limited = false;
      const resetsAt = new Date(Date.UTC(2026, 0, 1) + 30_000).toISOString();
      throw new SvcError('rate-limited', 'later', { data: { resetsAt } });
    },
  ]);
  it.setInterval(3_600_000);
  it.pollers.start();
  await it.settle();
  await it.advance(10_000);
  it.pollers.nudge('github');
  await it.advance(20_000);
  assert.equal(times(it), [0, 30_000]);
});

test('a request to poll is followed by a poll soon and by one when the forge has settled: it may announce what it does not show yet', async () => {
  const it = world([() => []]);
  it.pollers.start();
  await it.settle();
  await it.advance(1_000);
  it.pollers.nudge('github');
  await it.settle();
  await it.advance(2_000);
  await it.advance(10_000);
  await it.advance(60_000);
  assert.equal(times(it), [0, 1_000, 3_000, 13_000, 73_000]);
});

test('another interval counts at once, a change of something else postpones no poll', async () => {
  const it = world([() => []]);
  it.setInterval(600_000);
  it.pollers.start();
  await it.settle();
  await it.advance(50_000);
  it.setInterval(10_000);
  it.pollers.takeUp();
  await it.advance(6_000);
  it.pollers.takeUp();
  await it.advance(4_000);
  assert.equal(times(it), [0, 60_000]);
  await it.advance(10_000);
  it.setInterval(3_000);
  it.pollers.takeUp();
  await it.advance(3_000);
  assert.equal(times(it), [0, 60_000, 70_000, 73_000]);
});

test('an interval that was set while the forge is asked counts for the wait that follows', async () => {
  const it = world([() => []]);
  it.pollers.start();
  it.setInterval(5_000);
  it.pollers.takeUp();
  await it.settle();
  await it.advance(5_000);
  assert.equal(times(it), [0, 5_000]);
});

test('a forge that is installed while the runner runs is polled from then on', async () => {
  const it = world([() => []]);
  it.pollers.start();
  await it.settle();
  it.install('github-2');
  it.pollers.takeUp();
  await it.settle();
  assert.equal(times(it), [0, 0]);
});

test.run();
