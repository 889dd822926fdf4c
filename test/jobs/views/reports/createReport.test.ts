import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { JobSummary, Parked } from '../../../../src/contract/schema/job/job.ts';
import type { Caps } from '../../../../src/base/spending/budgetScopes.ts';
import { createReport } from '../../../../src/jobs/views/reports/createReport.ts';
import { createCosts } from '../../../../src/jobs/views/reports/createCosts.ts';
import {
  toReportApproval,
  toReportFinished,
  buildStopCommand,
  toReportStop,
} from '../../../../src/jobs/views/reports/reportStops.ts';
import type { Tables } from '../../../../src/contract/records/tables.ts';
import { budgetStage } from '../../../policy/budgets/stage.ts';

const test = suite('the report');

const HOUR = 3_600_000;

async function stage(caps: Caps = { day: { usd: 50 } }) {
  const world = await budgetStage({ caps });
  const { store, clock, service } = world;
  const costs = createCosts({ reader: store.costs, rows: store.rows, prices: '2026-09-23' });
  const { jobs: list, rows } = store;
  const deps = {
    ...service,
    ...costs,
    accounts: () => [],
    countWaitingProposals: () => 2,
    list,
    rows,
    now: () => clock.now(),
    lastOutputs: { toLastOutputMember: () => ({}) },
  };
  return { ...world, ...createReport(deps), ...costs };
}

test('its costs are what the ledger has, to the micro-dollar, from its beginning on (JOB-11)', async () => {
  const { start, use, report, clock, rows } = await stage();
  await start('job-1');
  await start('job-2');
  await use('job-1', { micro_usd: 1_000_001 });
  clock.advance(3 * HOUR);
  await use('job-1', { micro_usd: 250_003 });
  await use('job-2', { micro_usd: 40_009 });
  const { cost, costs } = await report({ since: '2h' });
  const calls = rows.all('usage_calls').filter(({ at }) => at >= clock.now() - 2 * HOUR);
  const ledger = calls.reduce((sum, { micro_usd }) => sum + (micro_usd ?? 0), 0);
  assert.is(Math.round((cost.usd ?? 0) * 1e6), ledger);
  assert.equal(
    costs.map(({ jobId, cost: { usd } }) => [jobId, usd]),
    [
      ['job-1', 0.250003],
      ['job-2', 0.040009],
    ],
  );
});

test('what is spent of a cap is what the budget says (JOB-16)', async () => {
  const { start, use, report, service } = await stage();
  await start('job-1');
  await use('job-1', { micro_usd: 1_000_001 });
  assert.equal((await report({})).budgets, service.budgets({}).budgets);
  assert.is((await report({})).budgets[0]?.spent, 1.000001);
});

test('a job that was paused is a stop, with its reason and the command that continues it', async () => {
  const { start, commands, report } = await stage();
  await start('job-1');
  await commands.pause('job-1', { by: 'open' });
  const { stops, jobs } = await report({});
  assert.equal(
    stops.map(({ jobId, why, command }) => [jobId, why, command]),
    [['job-1', 'paused', 'svc resume job-1']],
  );
  assert.is(jobs.waiting, 1);
});

test('a job that only a person can continue is a stop, and waits', async () => {
  const { start, use, report, kernel } = await stage({ job: { usd: 1 } });
  await start('job-1');
  await use('job-1', { micro_usd: 2_000_000 });
  await kernel.send('job-1', { type: 'job.pause' });
  await kernel.send('job-1', { type: 'job.resume', eventKey: 'manual-resume' });
  const { stops, jobs } = await report({});
  assert.equal(
    stops.map(({ jobId, why }) => [jobId, why]),
    [['job-1', 'budget']],
  );
  assert.is(jobs.waiting, 1);
});

test('a job that was cancelled before it begins is not in it', async () => {
  const { start, commands, report, clock } = await stage();
  await start('job-1');
  await commands.cancel('job-1', {}, { by: 'open' });
  assert.is((await report({ since: '1h' })).jobs.cancelled, 1);
  clock.advance(2 * HOUR);
  assert.is((await report({ since: '1h' })).jobs.cancelled, 0);
});

test('stops are newest first, what failed among them, and a job that waits for its sub-runs is none', async () => {
  const { start, commands, report, clock, writeRows } = await stage();
  const turn = async (id: string, set: Record<string, unknown>) => {
    await start(id);
    await commands.pause(id, { by: 'open' });
    await writeRows([{ op: 'patch', table: 'job_list', key: { job_id: id }, set }]);
    clock.advance(1_000);
  };
  await turn('job-1', { state: 'waiting' });
  await turn('job-2', { state: 'failed', status: 'failed' });
  await turn('job-3', { state: 'waiting' });
  await turn('job-4', { state: 'waiting' });
  const parked = JSON.stringify({ kind: 'subRuns', since: '2026-01-01T00:00:00.000Z', reason: '' });
  await writeRows([
    { op: 'patch', table: 'job_summaries', key: { job_id: 'job-4' }, set: { parked } },
  ]);
  const { stops, jobs } = await report({ since: '1h' });
  assert.equal(
    stops.map(({ jobId, why }) => [jobId, why]),
    [
      ['job-3', 'paused'],
      ['job-2', 'failed'],
      ['job-1', 'paused'],
    ],
  );
  assert.is(jobs.waiting, 3);
});

test('reviews that wait are listed, what needs a person is counted as everywhere, and of what the failures consist', async () => {
  const { start, report, writeRows } = await stage();
  const turn = async (id: string, set: Record<string, unknown>) => {
    await start(id);
    await writeRows([{ op: 'patch', table: 'job_list', key: { job_id: id }, set }]);
  };
  await turn('job-1', { state: 'waiting', ask: 'review' });
  await turn('job-2', { state: 'failed', ask: 'escalated', status: 'escalated' });
  await turn('job-3', { state: 'failed', ask: 'failed', status: 'failed', parent: 'job-1' });
  const { reviews, needs, failures, jobs } = await report({ since: '1h' });
  assert.equal(
    reviews.map(({ jobId, command }) => [jobId, command]),
    [['job-1', 'svc status job-1']],
  );
  assert.equal(needs, { me: 2, decide: 0, review: 1, broken: 1, snoozed: 0, proposals: 2 });
  assert.equal(failures, { failed: 2, subRuns: 1, escalated: 1 });
  assert.is(jobs.failed, failures.failed);
});

test('approvals are oldest first', async () => {
  const { start, commands, report, clock, writeRows } = await stage();
  const parked = JSON.stringify({
    kind: 'approval',
    since: '2026-01-01T00:00:00.000Z',
    reason: '',
  });
  for (const id of ['job-1', 'job-2']) {
    await start(id);
    await commands.pause(id, { by: 'open' });
    await writeRows([
      { op: 'patch', table: 'job_summaries', key: { job_id: id }, set: { parked } },
    ]);
    clock.advance(1_000);
  }
  assert.equal(
    (await report({})).approvals.map(({ jobId }) => jobId),
    ['job-1', 'job-2'],
  );
});

test('what finished is in it once, newest first, and from its beginning on (UI-1)', async () => {
  const { start, commands, report, clock } = await stage();
  await start('job-0');
  await commands.cancel('job-0', {}, { by: 'open' });
  clock.advance(2 * HOUR);
  await start('job-1');
  await commands.cancel('job-1', {}, { by: 'open' });
  clock.advance(1);
  await start('job-2');
  await commands.cancel('job-2', {}, { by: 'open' });
  const { finished } = await report({ since: '1h' });
  assert.equal(
    finished.map(({ jobId, outcome }) => [jobId, outcome]),
    [
      ['job-2', 'cancelled'],
      ['job-1', 'cancelled'],
    ],
  );
});

test('a job of it has the links to its page and to its pull requests (CLI-1)', async () => {
  const { start, commands, report, writeRows } = await stage();
  await start('job-1');
  await writeRows([{ op: 'put', table: 'pr_mappings', row: { ...PR, job_id: 'job-1' } }]);
  await commands.pause('job-1', { by: 'open' });
  const [stop] = (await report({})).stops;
  assert.equal(
    [stop?.page, stop?.pullRequests],
    ['/dashboard/#/jobs/job-1', [{ prId: PR.pr_id, url: PR.url, state: 'open' }]],
  );
});

for (const since of ['tomorrow', '2030-01-01', ''])
  test(`it cannot begin at "${since}"`, async () => {
    const { report } = await stage();
    const refused = await report({ since }).catch((error: unknown) => error);
    assert.match(String(refused), /give a past time, such as/);
  });

const PR: Tables['pr_mappings'] = {
  forge: 'github',
  repo: 'acme/shop',
  number: 7,
  job_id: '',
  pr_id: 'github:acme/shop#7',
  title: 'Add a health check',
  head: 'svc/health',
  base: 'main',
  url: 'https://github.com/acme/shop/pull/7',
  state: 'open',
  work_item: null,
  merged_at: null,
  problem: null,
};

const job = (parked: Partial<Parked> | null, more: Partial<JobSummary> = {}): JobSummary =>
  ({
    id: 'job-1',
    status: 'coding',
    phase: 'coding',
    ended: false,
    reason: 'why',
    since: '2026-11-22T00:00:00.000Z',
    description: 'Add a health check\nand more',
    repoSlug: 'shop',
    workflowPath: 'workflows/job.md',
    parked: parked && { kind: 'paused', since: '', reason: '', ...parked },
    ...more,
  }) as JobSummary;

const exceeded = { metric: 'tokens' } as Parked['exceeded'] & object;
const COMMANDS: readonly (readonly [command: string, of: JobSummary])[] = [
  ['svc resume job-1', job({})],
  ['svc resume job-1', job({ cause: 'until' })],
  ['svc resume --all stop-all', job({ cause: 'stop-all' })],
  ['svc budget raise --job job-1 --tokens <more>', job({ kind: 'budget', exceeded })],
  ['svc accounts retry p/1', job({ kind: 'quota', pool: 'p/1' })],
  ['svc resume job-1', job({ kind: 'quota', pool: 'p/1', until: '2026-11-23T00:00:00Z' })],
  ['svc campaign show job-1', job({ kind: 'halted' })],
  ['svc resume job-1', job(null, { ended: true, status: 'failed' })],
  ['svc rerun job-1 coding', job(null, { ended: true, status: 'escalated' })],
];

for (const [command, of] of COMMANDS)
  test(`${of.parked?.cause ?? of.parked?.kind ?? of.status}${of.parked?.until ? ' for a while' : ''}: ${command}`, () => {
    assert.is(buildStopCommand(of), command);
  });

for (const kind of ['approval', 'event', 'subRuns'] as const)
  test(`a wait for ${kind} is no stop`, () => {
    assert.is(toReportStop(job({ kind })), null);
  });

test('a wait for an approval says which phase, and what shows it', () => {
  const waits = toReportApproval(job({ kind: 'approval' }));
  assert.equal([waits?.phase, waits?.command], ['coding', 'svc resume job-1']);
});

for (const [outcome, of] of [
  ['complete', job(null, { ended: true, status: 'complete' })],
  [
    'partial',
    job(null, { status: 'complete', subRunFailures: { failed: 1, escalated: 0, text: '' } }),
  ],
  ['cancelled', job(null, { ended: true, status: 'cancelled' })],
] as const)
  test(`a job that is ${outcome} has finished so`, () => {
    assert.is(toReportFinished(of).outcome, outcome);
  });

test('a stop names the first line of its request, its repository and its workflow', () => {
  const { title, repo, workflow } = toReportStop(job({})) ?? {};
  assert.equal(
    { title, repo, workflow },
    {
      title: 'Add a health check',
      repo: 'shop',
      workflow: 'workflows/job.md',
    },
  );
});

test.run();
