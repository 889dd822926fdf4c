import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import JobCommand from '../../cli/commands/job.ts';
import JobsCommand from '../../cli/commands/jobs.ts';
import LogsCommand from '../../cli/commands/logs.ts';
import WaitCommand from '../../cli/commands/wait.ts';
import type { Job } from '../../src/contract/schema/job/job.ts';
import { CommandLine } from '../support/cli/commandLine.ts';
import {
  fakeJob,
  fakeRunner,
  logEvent,
  type Reply,
  type StreamEvent,
  stateEvent,
} from '../support/http/fakeRunner.ts';

const test = suite<{ home: string }>('waiting, quiet output and pages');

test.before.each(async (context) => {
  context.home = await mkdtemp(join(tmpdir(), 'svc-wait-'));
});
test.after.each(({ home }) => rm(home, { recursive: true, force: true }));

const BYE: StreamEvent = ['bye', { reason: 'ended' }];
const CAUGHT_UP: StreamEvent = ['bye', { reason: 'caught-up' }];
const SINCE = '2026-01-01T11:59:00.000Z';
const parked = (kind: NonNullable<Job['parked']>['kind']) => ({
  kind,
  since: SINCE,
  reason: `for ${kind}`,
});
const WORKFLOWS = {
  workflows: [{ phases: [{ status: 'coding' }, { status: 'awaiting-pr-merge' }] }],
};

/** Runs a command against a runner with these routes; with what it was asked. */
async function run(
  home: string,
  routes: Parameters<typeof fakeRunner>[0],
  command: Parameters<CommandLine['run']>[0],
  argv: string[],
) {
  const runner = await fakeRunner(routes);
  try {
    const line = new CommandLine({ SVC_HOME: home, SVC_URL: runner.url });
    const result = await line.run(command, argv);
    return { ...result, asked: runner.seen.map(({ path }) => path) };
  } finally {
    await runner.close();
  }
}

/** A job as it is at the call, and what its stream brings afterwards. */
const createRoutes = (job: Partial<Job>, later: readonly StreamEvent[]) => ({
  'GET /jobs/shop-job-1': [200, fakeJob(job)] as Reply,
  'GET /jobs/shop-job-1/stream?tail=1&follow=false': { stream: [CAUGHT_UP] },
  'GET /jobs/shop-job-1/stream': { stream: later },
  'GET /workflows': [200, WORKFLOWS] as Reply,
});

const CASES: [
  what: string,
  argv: string[],
  now: Partial<Job>,
  later: StreamEvent[],
  code: number,
][] = [
  ['a complete job', [], { status: 'complete', ended: true }, [], 0],
  ['a failed job', [], { status: 'failed', ended: true }, [], 6],
  ['a job that waits for approval', [], { parked: parked('approval') }, [], 7],
  ['a job that waits for a review or a merge', [], { parked: parked('event') }, [], 7],
  [
    '--for ended of a job that waits for a merge and then completes',
    ['--for', 'ended'],
    { parked: parked('event') },
    [stateEvent('complete', { ended: true }), BYE],
    0,
  ],
  ['a job that completes later', [], {}, [stateEvent('complete', { ended: true }), BYE], 0],
  ['a job that is paused later', [], {}, [stateEvent('x', { parked: parked('paused') }), null], 7],
  [
    '--for ended of a job that waits for a person and then fails',
    ['--for', 'ended'],
    { parked: parked('approval') },
    [stateEvent('failed', { ended: true }), BYE],
    6,
  ],
  [
    '--for parked of a job that waits for an event',
    ['--for', 'parked'],
    { parked: parked('event') },
    [],
    0,
  ],
  [
    '--for a status that it comes to',
    ['--for', 'coding'],
    { status: 'planning' },
    [stateEvent('coding:cart'), null],
    0,
  ],
  [
    '--for a status that it never comes to',
    ['--for', 'coding'],
    { status: 'planning' },
    [stateEvent('cancelled', { ended: true }), BYE],
    6,
  ],
];
for (const [what, argv, now, later, code] of CASES) {
  test(`svc wait on ${what}: ${code} (CLI-6)`, async ({ home }) => {
    const result = await run(home, createRoutes(now, later), WaitCommand, ['shop-job-1', ...argv]);
    assert.is(result.code, code, result.err);
  });
}

test('svc wait refuses a state that no job can be in, and --timeout ends it with 8 (CLI-6)', async ({
  home,
}) => {
  const odd = await run(home, createRoutes({}, []), WaitCommand, ['shop-job-1', '--for', 'codng']);
  assert.equal(odd.code, 2);
  assert.equal(
    odd.err,
    'Error: --for is "codng", which is not a job status. Did you mean coding?\n',
  );
  const runner = await fakeRunner(createRoutes({}, [stateEvent('coding'), null]));
  const line = new CommandLine({ SVC_HOME: home, SVC_URL: runner.url });
  try {
    const waiting = line.run(WaitCommand, ['shop-job-1', '--timeout', '5m']);
    while (!runner.seen.some(({ path }) => path === '/jobs/shop-job-1/stream'))
      await new Promise((resolve) => setImmediate(resolve));
    await line.clock.advance(300_000);
    const late = await waiting;
    assert.equal(late.code, 8);
    assert.equal(late.out, 'coding:cart\n');
  } finally {
    await runner.close();
  }
});

test('svc logs --no-follow shows what was logged and ends, of a parked job too (CLI-1)', async ({
  home,
}) => {
  const stream = [logEvent('one'), logEvent('two'), CAUGHT_UP];
  const routes = { 'GET /jobs/shop-job-1/stream?follow=false': { stream } };
  const all = await run(home, routes, LogsCommand, ['shop-job-1', '--no-follow']);
  assert.equal(all.code, 0);
  assert.equal(all.err, '');
  assert.equal(all.out.split('\n').length, 3);
  const newest = await run(home, routes, LogsCommand, ['shop-job-1', '--no-follow', '-n', '1']);
  assert.match(newest.out, /^\S+ coding \| two\n$/);
});

test('--quiet prints IDs only, of a new job and of a list (CLI-6)', async ({ home }) => {
  const created = { jobId: 'shop-job-1', status: 'queued', streamUrl: '/x' };
  const job = await run(home, { 'POST /jobs': [201, created] }, JobCommand, [
    '--jira-ticket',
    'S-1',
    '-q',
  ]);
  assert.equal(job.code, 0);
  assert.equal(job.out, 'shop-job-1\n');
  assert.equal(job.err, '');
  assert.equal(job.asked, ['/jobs']);
  const jobs = [fakeJob(), fakeJob({ id: 'shop-job-2' })];
  const list = await run(home, { 'GET /jobs': [200, jobs] }, JobsCommand, ['--quiet']);
  assert.equal(list.code, 0);
  assert.equal(list.out, 'shop-job-1\nshop-job-2\n');
  assert.equal(list.err, '');
});

test('svc jobs has pages: what was left out is named with the flag that shows it (CLI-1)', async ({
  home,
}) => {
  const page: Reply = [200, [fakeJob()], { 'x-total-count': '12' }];
  const { asked, err } = await run(home, { 'GET /jobs': page }, JobsCommand, [
    '--limit',
    '1',
    '--offset',
    '4',
  ]);
  assert.equal(asked, ['/jobs?limit=1&offset=4']);
  assert.is(err, '1 of 12 jobs; more: --offset 5\n');
});

test('svc jobs --status with an unknown status is refused; one that no job has is not (CLI-1)', async ({
  home,
}) => {
  const routes: Record<string, Reply> = {
    'GET /jobs': [200, []],
    'GET /workflows': [200, WORKFLOWS],
  };
  const odd = await run(home, routes, JobsCommand, ['--status', 'nonsense']);
  assert.is(odd.code, 2);
  assert.match(odd.err, '--status is "nonsense", which is not a job status.');
  const none = await run(home, routes, JobsCommand, ['--status', 'awaiting-pr-merge']);
  assert.equal(none.code, 0);
  assert.equal(none.err, 'No jobs match.\n');
});

test.run();
