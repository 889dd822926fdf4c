import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import JobCommand from '../../cli/commands/job.ts';
import ReportCommand from '../../cli/commands/report.ts';
import StopAllCommand from '../../cli/commands/stop-all.ts';
import { CommandLine } from '../support/cli/commandLine.ts';
import { FakeRunner } from '../support/http/fakeFacade.ts';
import { fakeRunner } from '../support/http/fakeRunner.ts';

const test = suite<{ home: string }>('commands for jobs that are left alone');

test.before.each(async (context) => {
  context.home = await mkdtemp(join(tmpdir(), 'svc-alone-'));
});
test.after.each(({ home }) => rm(home, { recursive: true, force: true }));

const JOB = {
  jobId: 'job-1',
  title: 'Add a health check',
  repo: 'shop',
  workflow: 'workflows/job.md',
  page: '/dashboard/#/jobs/job-1',
  pullRequests: [
    { prId: 'github:acme/shop#7', url: 'https://github.com/acme/shop/pull/7', state: 'open' },
    { prId: 'github:acme/shop#6', url: 'https://github.com/acme/shop/pull/6', state: 'closed' },
  ],
};

const STOP = {
  ...JOB,
  why: 'budget',
  since: '2026-11-22T03:00:00.000Z',
  reason: 'the budget of the day is spent',
  until: null,
  command: 'svc budget raise --job job-1 --usd <more>',
};

const APPROVAL = {
  ...JOB,
  phase: 'planning',
  since: '2026-11-22T03:00:00.000Z',
  command: 'svc resume job-1',
};

const FINISHED = { ...JOB, outcome: 'partial', since: '2026-11-22T03:00:00.000Z' };

async function run(
  home: string,
  command: typeof StopAllCommand | typeof ReportCommand | typeof JobCommand,
  argv: string[],
) {
  const lists = { stops: [STOP], approvals: [APPROVAL], finished: [FINISHED] };
  const report = { ...(await new FakeRunner().report({})), ...lists };
  const created = { jobId: 'job-1', status: 'queued', streamUrl: '/s', unattended: ['It ends.'] };
  const runner = await fakeRunner({
    'POST /stop-all': [200, { paused: 2, resting: 1 }],
    'GET /report': [200, report],
    'POST /jobs': [201, created],
  });
  try {
    const line = new CommandLine({ SVC_HOME: home, SVC_URL: runner.url });
    return { ...(await line.run(command, argv)), seen: runner.seen, url: runner.url };
  } finally {
    await runner.close();
  }
}

test('svc stop-all reports how many jobs it has paused, and how they continue (CLI-1)', async ({
  home,
}) => {
  const { out, err } = await run(home, StopAllCommand, []);
  assert.match(out, /^2 jobs are paused; 1 was paused already, or waits? for a person anyway/);
  assert.match(err, /svc resume --all stop-all/);
});

test('svc report shows each stop with its reason and the command that continues it (CLI-1)', async ({
  home,
}) => {
  const { out, seen } = await run(home, ReportCommand, ['--since', '2d']);
  assert.is(seen.at(-1)?.path, '/report?since=2d');
  assert.match(out, /budget {2}job-1 {2}Add a health check/);
  assert.match(
    out,
    /the budget of the day is spent\n {2}svc budget raise --job job-1 --usd <more>/,
  );
});

test('svc report shows of an approval its command, the page of its job and its open pull request (CLI-1)', async ({
  home,
}) => {
  const { out, url } = await run(home, ReportCommand, []);
  const lines = [
    'planning  job-1  Add a health check',
    '  since 2026-11-22 03:00 UTC',
    '  svc resume job-1',
    `  ${url}/dashboard/#/jobs/job-1`,
    '  https://github.com/acme/shop/pull/7',
    '',
  ];
  assert.ok(out.includes(`Approvals that wait\n${lines.join('\n')}\n`), out);
});

test('svc report lists what has finished, and how (CLI-1)', async ({ home }) => {
  const { out } = await run(home, ReportCommand, []);
  assert.match(out, /Finished\n.*\njob-1 +partial +2026-11-22 03:00 UTC +Add a health check/);
});

test('svc job --unattended sends the limit, and prints what the job may do (CLI-1)', async ({
  home,
}) => {
  const flags = '--repo shop --reviewers ana -d x --unattended 12h --no-stream';
  const { err, seen } = await run(home, JobCommand, flags.split(' '));
  assert.equal(Reflect.get(Object(seen.at(-1)?.body), 'params').unattended, { until: '12h' });
  assert.match(err, /unattended: It ends\./);
});

test.run();
