import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { formatLocalTime } from '../../cli/render/text/formatTimeWithAgo.ts';
import { formatRunnerStatus } from '../../cli/render/runner/formatRunnerStatus.ts';
import RunnerStatusCommand from '../../cli/commands/runner/status.ts';
import RunnerStopCommand from '../../cli/commands/runner/stop.ts';
import StopCommand from '../../cli/commands/stop.ts';
import type { Report } from '../../src/contract/schema/api/report.ts';
import { noteStart, readStartNote } from '../../src/host/config/home/startNote.ts';
import { summary } from '../support/summaries.ts';
import { CommandLine } from '../support/cli/commandLine.ts';
import { type FakeRunner, fakeRunner, type Reply } from '../support/http/fakeRunner.ts';

const test = suite<{ home: string; runner: FakeRunner }>('svc runner');

const STARTED = '2026-01-01T00:00:00.000Z';
const PID = 4242;

const COST = {
  usd: 1.2,
  unpriced: 0,
  calls: 3,
  estimated: 0,
  sessions: 1,
  ms: 10,
  inputTokens: 1,
  outputTokens: 1,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
  unreported: 0,
};

const HEALTHY: Record<string, Reply> = {
  'GET /health': [
    200,
    {
      status: 'ok',
      version: '9.8.7',
      mode: 'local',
      startedAt: STARTED,
      jobs: { live: 0, parked: 0, ended: 0 },
      deprecatedUses: [],
    },
  ],
};

test.before.each(async (context) => {
  context.home = await mkdtemp(join(tmpdir(), 'svc-cli-runner-'));
  context.runner = await fakeRunner(HEALTHY);
});
test.after.each(async ({ home, runner }) => {
  await runner.close();
  await rm(home, { recursive: true, force: true });
});

const starts = (home: string, url: string, pid = PID): Promise<void> =>
  writeFile(join(home, 'runner.json'), JSON.stringify({ url, pid, startedAt: STARTED }));
const openCommandLine = (home: string): CommandLine =>
  new CommandLine({ SVC_HOME: home, SVC_URL: 'http://127.0.0.1:1' });

test('svc runner status has mode, forges and folders, without a runner too (CLI-2)', async ({
  home,
}) => {
  const config = { plugins: { installed: { github: { config: { token: 'ghp_secret' } } } } };
  await writeFile(join(home, 'config.json'), JSON.stringify(config));
  const { code, out } = await openCommandLine(home).run(RunnerStatusCommand, []);
  assert.is(code, 0);
  assert.is(
    out.replace(/^(Disk +).*$/m, '$1…'),
    [
      'Runner         not running; start it with: svc start',
      'Mode           local (without a control plane)',
      'Forge          github',
      'Disk           …',
      `Home           ${home}`,
      `Configuration  ${join(home, 'config.json')}`,
      `Job folders    ${join(home, 'work')}`,
      `Authoring      ${join(home, 'intelligence')}`,
      '',
    ].join('\n'),
  );
});

test('svc runner status without a runner says that none is connected (CLI-2, RUN-2)', async ({
  home,
}) => {
  const config = { cloud: { url: 'http://127.0.0.1:1', token: 'a-long-runner-secret' } };
  await writeFile(join(home, 'config.json'), JSON.stringify(config));
  const { out } = await openCommandLine(home).run(RunnerStatusCommand, []);
  assert.match(out, 'hybrid (connects to the control plane while the runner runs)');
});

test('svc runner status names team, connection and where the state is (CLI-2, RUN-2)', () => {
  const cloud = {
    url: 'https://svc.example.com',
    connection: 'connecting',
    since: STARTED,
    problem: 'The connection broke.',
    team: { id: 't', slug: 'acme', name: 'Acme' },
    runner: { id: 'r', name: 'mac' },
    state: { place: 'replicated', changes: 0, since: null },
  } as const;
  const runner = {
    url: 'http://127.0.0.1:1',
    pid: PID,
    startedAt: STARTED,
    version: '1',
    mode: 'hybrid' as const,
    build: null,
    cloud,
  };
  const folders = { configFile: 'c', home: 'h', workingDir: 'w', intelligenceDir: 'i' };
  const status = {
    runner,
    work: null,
    freeBytes: null,
    mode: 'hybrid',
    scm: [],
    holder: null,
  } as const;
  const text = formatRunnerStatus({ ...status, scm: [], ...folders }, Date.parse(STARTED));
  const [, mode] = /^Mode +(.*)$/m.exec(text) ?? [];
  assert.is(
    mode,
    `hybrid, team Acme at https://svc.example.com: not connected; svc tries again and again since ${formatLocalTime(STARTED)} (The connection broke.); state replicated in the control plane`,
  );
});

test('svc runner status names the runner of this home, whatever SVC_URL says (CLI-2)', async ({
  home,
  runner,
}) => {
  await starts(home, runner.url);
  const { out } = await openCommandLine(home).run(RunnerStatusCommand, ['--json']);
  assert.equal(JSON.parse(out).runner, {
    url: runner.url,
    pid: PID,
    startedAt: STARTED,
    version: '9.8.7',
    mode: 'local',
    build: null,
  });
});

const REPORT: Partial<Report> = {
  jobs: { complete: 0, partial: 0, failed: 0, cancelled: 0, working: 1, queued: 2, waiting: 3 },
  needs: { me: 2, decide: 1, review: 0, broken: 1, snoozed: 0, proposals: 0 },
  approvals: [
    {
      jobId: 'shop-job-2',
      title: 'Greet the reader, and do so in every language that the reader may know',
      repo: 'shop',
      workflow: 'workflows/job.md',
      page: '/dashboard/#/jobs/shop-job-2',
      pullRequests: [],
      phase: 'planning',
      since: '2026-01-01T11:48:00.000Z',
      command: 'svc resume --job shop-job-2 --event approve',
    },
  ],
  reviews: [],
  stops: [],
  budgets: [],
};

test('svc runner status says what the runner does and what needs a person (CLI-2)', async ({
  home,
}) => {
  const job = summary('shop-job-2', { createdBy: 'ana', reviewers: ['bo', 'cy'] });
  const runner = await fakeRunner({
    ...HEALTHY,
    'GET /report': [200, { ...REPORT, cost: COST }],
    'GET /jobs': [200, [job], { 'x-total-count': '1' }],
  });
  await starts(home, runner.url);
  const { out } = await openCommandLine(home).run(RunnerStatusCommand, []);
  assert.match(out, /^Jobs {11}1 working, 2 queued, 3 waiting$/m);
  assert.match(out, /^Needs you {6}1 to decide, 1 broken; all: svc jobs --needs-me$/m);
  assert.match(
    out,
    /^ {15}shop-job-2 {2}Greet the reader, and do so in every language t…: approval of planning \(bo, cy\), 12 min ago$/m,
  );
  assert.match(out, /^Spent today {4}\$1\.20 \(UTC day\); no limit is set for a day$/m);
  await runner.close();
});

test('svc runner status is complete where the runner does not report its work (CLI-2)', async ({
  home,
  runner,
}) => {
  await starts(home, runner.url);
  const { code, out } = await openCommandLine(home).run(RunnerStatusCommand, []);
  assert.is(code, 0);
  assert.match(out, /^Jobs {11}unknown: /m);
  assert.match(out, /^Home /m);
});

test('a forge that is switched off is not named (CLI-2)', async ({ home }) => {
  const github = { enabled: false, config: {} };
  const config = { plugins: { installed: { github } }, forges: { local: { repos: { a: home } } } };
  await writeFile(join(home, 'config.json'), JSON.stringify(config));
  const { out } = await openCommandLine(home).run(RunnerStatusCommand, ['--json']);
  assert.equal(JSON.parse(out).scm, ['local']);
});

test('svc runner stop asks the runner to stop, and waits until its process has ended (CLI-2)', async ({
  home,
}) => {
  const process = spawn('sleep', ['0.2']);
  const { pid = 0 } = process;
  const runner = await fakeRunner({ ...HEALTHY, 'POST /runner/stop': [202, { pid }] });
  await starts(home, runner.url, pid);
  const { code, out } = await openCommandLine(home).run(RunnerStopCommand, ['--json']);
  assert.is(code, 0);
  assert.equal(JSON.parse(out), { stopped: true, pid });
  assert.throws(() => globalThis.process.kill(pid, 0), /ESRCH/);
  await runner.close();
});

test('svc runner stop ends a runner of an older release by a signal (CLI-2)', async ({
  home,
  runner,
}) => {
  const process = spawn('sleep', ['60']);
  await starts(home, runner.url, process.pid);
  const exit = once(process, 'exit');
  const { out } = await openCommandLine(home).run(RunnerStopCommand, []);
  assert.match(out, /^The runner has stopped\. No job is lost/);
  assert.equal(await exit, [null, 'SIGTERM']);
});

test('svc stop is the same; after a crash it names no process (CLI-2)', async ({
  home,
  runner,
}) => {
  await runner.close();
  await starts(home, runner.url);
  const { out } = await openCommandLine(home).run(StopCommand, []);
  assert.is(out, 'No runner is running for this home.\n');
});

const HOLDER = `
const { DatabaseSync } = await import(process.argv[2]);
const { writeFileSync } = await import('node:fs');
const db = new DatabaseSync(process.argv[1] + '/state.db');
db.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; CREATE TABLE t (x)');
writeFileSync(process.argv[1] + '/runner.lock.json', JSON.stringify({ pid: process.pid, startedAt: '' }));
process.stdout.write('held');
setInterval(() => db, 1000);
`;

test('svc stop ends a runner that has the state and does not answer yet (CLI-2)', async ({
  home,
}) => {
  const sqlite = import.meta.resolve('@photostructure/sqlite');
  const process = spawn('node', ['--input-type=module', '-e', HOLDER, home, sqlite]);
  const exit = once(process, 'exit');
  await once(process.stdout, 'data');
  const { out } = await openCommandLine(home).run(StopCommand, ['--json']);
  assert.equal(JSON.parse(out), { stopped: true, pid: process.pid });
  assert.equal(await exit, [null, 'SIGTERM']);
});

test('a name that a crash left beside the state is not believed (CLI-2)', async ({ home }) => {
  const { pid } = globalThis.process;
  await writeFile(join(home, 'runner.lock.json'), JSON.stringify({ pid, startedAt: STARTED }));
  await writeFile(join(home, 'state.db'), '');
  const { out } = await openCommandLine(home).run(StopCommand, ['--json']);
  assert.equal(JSON.parse(out), { stopped: false, pid: null });
});

test('svc stop ends a process that is about to run the home (CLI-2)', async ({ home }) => {
  const process = spawn('sleep', ['60']);
  const exit = once(process, 'exit');
  await noteStart(home, process.pid ?? 0);
  await openCommandLine(home).run(StopCommand, []);
  assert.equal(await exit, [null, 'SIGTERM']);
});

test('the name of a start is taken back, and one that a crash left is too old', async ({
  home,
}) => {
  const takeBack = await noteStart(home, PID);
  assert.is(await readStartNote(home, Date.now()), PID);
  assert.is(await readStartNote(home, Date.now() + 121_000), null);
  await takeBack();
  assert.is(await readStartNote(home, Date.now()), null);
});

test('svc stop waits for the runner that answers, not for the one that was killed (CLI-2)', async ({
  home,
}) => {
  const process = spawn('sleep', ['0.2']);
  const { pid = 0 } = process;
  const runner = await fakeRunner({ ...HEALTHY, 'POST /runner/stop': [202, { pid }] });
  await starts(home, runner.url, 2_147_483_000);
  await openCommandLine(home).run(StopCommand, []);
  assert.throws(() => globalThis.process.kill(pid, 0), /ESRCH/);
  await runner.close();
});

test.run();
