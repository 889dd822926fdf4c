import { spawnSync } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { randomIds, sha256 } from '../../src/base/system/ids/ids.ts';
import { silentLog } from '../../src/base/system/log/log.ts';
import { findLocalPlaces, UNPRIVILEGED_UID } from '../../src/base/system/postgres/localPlaces.ts';
import { systemClock } from '../../src/base/time/clock.ts';
import { findPostgres } from '../../src/cloud/database/local/findPostgres.ts';
import { openLocalDatabase } from '../../src/cloud/database/local/openLocalDatabase.ts';
import type { PostgresProgram } from '../../src/cloud/database/local/postgresProgram.ts';
import { openDatabase } from '../../src/cloud/database/openDatabase.ts';
import { createRunnerToken } from '../../src/cloud/runners/runnerTokens.ts';
import { WORKFLOW_PATH } from '../benchWorkflow.ts';
import { ControlPlaneUnderTest } from '../controlPlaneUnderTest.ts';
import { type Figure, under } from '../figure.ts';
import { writeHome } from '../home.ts';
import { HostProcess } from '../hostProcess.ts';
import type { LinksHostCalls } from '../hosts/linksHost.ts';
import { HttpConnection, requestBytes } from '../httpConnection.ts';
import type { Lab } from '../lab.ts';
import { RunnerUnderTest } from '../runnerUnderTest.ts';
import { median, percentile } from '../statistics.ts';
import { pairRunner } from '../pairRunner.ts';
import { TeamOwner } from '../teamOwner.ts';
import { waitUntil } from '../waitUntil.ts';
import type { Row } from './row.ts';

const STARTS = 3;
const JOBS = 60;
const READS = 30;
const READ_TURNS = 10;
const CHANGES = 20;
const RUNNERS = 500;
const IDLE_MS = 20_000;

const isRoot = process.getuid?.() === 0;

/** initdb and a start by hand, ms: what no start of a control plane with a new database can do without. */
function startByHand({ folder }: PostgresProgram): number {
  const base = mkdtempSync(join(tmpdir(), 'svc-bench-pg-'));
  if (isRoot) chownSync(base, UNPRIVILEGED_UID, UNPRIVILEGED_UID);
  const data = join(base, 'data');
  const run = (name: string, ...args: string[]) => {
    const as = isRoot ? { uid: UNPRIVILEGED_UID, gid: UNPRIVILEGED_UID } : {};
    const { status } = spawnSync(join(folder, name), args, { ...as, cwd: base, stdio: 'ignore' });
    if (status !== 0) throw new Error(`${name} ended with ${status}`);
  };
  const began = performance.now();
  run('initdb', `--pgdata=${data}`, '--auth=trust', '--encoding=UTF8', '--locale=C');
  const options = `-c listen_addresses= -c unix_socket_directories=${base}`;
  run('pg_ctl', `--pgdata=${data}`, '-w', '-l', join(base, 'log'), '-o', options, 'start');
  const spent = performance.now() - began;
  run('pg_ctl', `--pgdata=${data}`, '-m', 'immediate', 'stop');
  rmSync(base, { recursive: true, force: true });
  return spent;
}

async function measureStarts(lab: Lab, program: string, postgres: PostgresProgram) {
  const first: { ms: number; ratio: number }[] = [];
  const again: { ms: number; ratio: number }[] = [];
  for (let round = 0; round < STARTS; round += 1) {
    const home = lab.folder('cloud');
    const byHand = startByHand(postgres);
    const one = await ControlPlaneUnderTest.start(program, { home });
    await one.end('SIGTERM');
    first.push({ ms: one.startMs, ratio: one.startMs / byHand });
    const own = lab.folder('own');
    await (await RunnerUnderTest.start(program, own)).end('SIGTERM');
    const runner = await RunnerUnderTest.start(program, own);
    const connection = await HttpConnection.open(runner.port);
    await connection.ask(requestBytes('GET', '/health'));
    const runnerMs = performance.now() - runner.spawnedAt;
    connection.close();
    await runner.end('SIGTERM');
    const two = await ControlPlaneUnderTest.start(program, { home });
    await two.end('SIGTERM');
    again.push({ ms: two.startMs, ratio: two.startMs / runnerMs });
    if (isRoot) rmSync(findLocalPlaces(home, true).base, { recursive: true, force: true });
  }
  return { first, again };
}

/** How long each request takes, ms, one after another on a connection of its own. */
async function timeRequests(port: number, requests: readonly Buffer[]): Promise<number[]> {
  const connection = await HttpConnection.open(port);
  const spent: number[] = [];
  for (const request of requests) {
    const began = performance.now();
    await connection.ask(request);
    spent.push(performance.now() - began);
  }
  connection.close();
  return spent;
}

async function askOnce(port: number, request: Buffer): Promise<string> {
  const connection = await HttpConnection.open(port);
  try {
    return await connection.ask(request);
  } finally {
    connection.close();
  }
}

async function measureRequests(lab: Lab, program: string, cloud: ControlPlaneUnderTest) {
  const owner = await TeamOwner.create(cloud.url, cloud.ownerLink ?? '');
  const home = lab.folder('paired');
  writeHome(home);
  await pairRunner(cloud, owner, home);
  const runner = await RunnerUnderTest.start(program, home);
  // Each on a connection of its own: one that rests meanwhile is closed by the server.
  const team = (request: Buffer) => askOnce(cloud.port, request);
  const own = (request: Buffer) => askOnce(runner.port, request);
  try {
    await waitUntil(
      async () => JSON.parse(await team(owner.request('GET', '/runners'))).runners[0],
    );
    const body = (n: number) => ({
      type: 'job',
      workflowPath: WORKFLOW_PATH,
      params: { description: `Number ${n}` },
    });
    const numbers = Array.from({ length: JOBS }, (_, n) => n);
    const ownPosts = numbers.map((n) => requestBytes('POST', '/jobs', body(n)));
    const teamPosts = numbers.map((n) => owner.request('POST', '/jobs', body(n)));
    const ownMade = await timeRequests(runner.port, ownPosts);
    const teamMade = await timeRequests(cloud.port, teamPosts);
    const [job] = JSON.parse(await own(requestBytes('GET', '/jobs?limit=1')));
    const path = `/jobs/${job.id}`;
    await waitUntil(async () =>
      team(owner.request('GET', path)).then(
        () => true,
        () => false,
      ),
    );
    const reads = (request: Buffer) => Array.from({ length: READS }, () => request);
    const direct: number[] = [];
    const proxied: number[] = [];
    // By turns: what else the machine does meets both alike.
    for (let turn = 0; turn < READ_TURNS; turn += 1) {
      direct.push(...(await timeRequests(runner.port, reads(requestBytes('GET', path)))));
      proxied.push(...(await timeRequests(cloud.port, reads(owner.request('GET', path)))));
    }
    const delays: number[] = [];
    for (let n = 0; n < CHANGES; n += 1) {
      const { jobId } = JSON.parse(await own(requestBytes('POST', '/jobs', body(n))));
      const began = performance.now();
      await waitUntil(
        async () => JSON.parse(await team(owner.request('GET', '/jobs?limit=1')))[0]?.id === jobId,
      );
      delays.push(performance.now() - began);
    }
    return { ownMade, teamMade, direct, proxied, delays };
  } finally {
    await runner.end('SIGTERM');
  }
}

/** Runners of a team that exist in the database alone; their tokens. */
async function addRunners(databaseUrl: string): Promise<string[]> {
  const { sql, close } = await openDatabase(databaseUrl, { log: silentLog, max: 1 });
  const now = new Date();
  await sql`insert into teams (id, slug, name, created_at) values ('many', 'many', 'Many', ${now})`;
  const tokens: string[] = [];
  for (let n = 0; n < RUNNERS; n += 1) {
    const token = createRunnerToken(`r${n}`, randomIds);
    tokens.push(token);
    await sql`insert into runners (id, team_id, home_id, name, accept, token_hash, token_at, created_at)
      values (${`r${n}`}, 'many', ${`r${n}`}, ${`r${n}`}, 'team', ${sha256(token)}, ${now}, ${now})`;
  }
  await close();
  return tokens;
}

async function measureRunners(lab: Lab, program: string, database: string) {
  const tokens = await addRunners(database);
  await using host = await HostProcess.start<LinksHostCalls>(lab, 'linksHost');
  const home = lab.folder('node');
  const node = await ControlPlaneUnderTest.start(program, { home, database });
  await host.call('open', node.url, tokens);
  const all = async () => (await host.call('connected')) === RUNNERS;
  await waitUntil(all, 50);
  const cpu = node.cpuMs();
  await wait(IDLE_MS);
  const share = (node.cpuMs() - cpu) / IDLE_MS;
  const rss = node.rss();
  await node.end('SIGKILL');
  const killedAt = performance.now();
  const next = await ControlPlaneUnderTest.start(program, { home, database, port: node.port });
  await waitUntil(async () => !(await all()), 50);
  await waitUntil(all, 50);
  const backMs = performance.now() - killedAt;
  await host.call('close');
  await next.end('SIGTERM');
  return { share, rss, backMs };
}

/** The newest PostgreSQL of this machine; null = none is installed, which is noted. */
async function findNewestPostgres(note: (line: string) => void): Promise<PostgresProgram | null> {
  const [postgres] = await findPostgres(process.env.PATH ?? '');
  if (postgres === undefined) note('left out: PostgreSQL is not installed');
  return postgres ?? null;
}

/** Measures with a database that no node has used. */
async function measureWithDatabase<Measured>(
  lab: Lab,
  measure: (program: string, database: string) => Promise<Measured>,
): Promise<Measured> {
  const program = await lab.program();
  const home = lab.folder('database');
  const options = { home, path: process.env.PATH ?? '', isRoot, install: async () => null };
  const tools = { ids: randomIds, clock: systemClock, log: silentLog };
  const local = await openLocalDatabase(options, tools);
  try {
    return await measure(program, local.url);
  } finally {
    await local.stop();
  }
}

/** The control plane beside what it adds to: PostgreSQL, and a runner of one's own. */
const startsRow: Row = {
  figures: ['cloud.start', 'cloud.again'],
  async measure(lab, note): Promise<Record<string, Figure>> {
    const postgres = await findNewestPostgres(note);
    if (postgres === null) return {};
    const { first, again } = await measureStarts(lab, await lab.program(), postgres);
    return {
      'cloud.start': under({
        value: median(first.map(({ ms }) => ms)),
        unit: 'ms',
        ratio: median(first.map(({ ratio }) => ratio)),
        target: 1.5,
      }),
      'cloud.again': under({
        value: median(again.map(({ ms }) => ms)),
        unit: 'ms',
        ratio: median(again.map(({ ratio }) => ratio)),
        target: 2,
      }),
    };
  },
};

const requestsRow: Row = {
  figures: ['cloud.dispatch', 'cloud.proxied', 'cloud.list'],
  async measure(lab, note): Promise<Record<string, Figure>> {
    if ((await findNewestPostgres(note)) === null) return {};
    const { ownMade, teamMade, direct, proxied, delays } = await measureWithDatabase(
      lab,
      async (program, database) => {
        const home = lab.folder('team');
        const cloud = await ControlPlaneUnderTest.start(program, { home, database });
        return measureRequests(lab, program, cloud).finally(() => cloud.end('SIGTERM'));
      },
    );
    note(
      `POST /jobs of the runner: p50 ${median(ownMade).toFixed(1)} ms, p99 ${percentile(ownMade, 99).toFixed(1)} ms; of the team: p50 ${median(teamMade).toFixed(1)} ms`,
    );
    note(`GET /jobs/:id of the runner: p50 ${median(direct).toFixed(2)} ms`);
    const p99 = percentile(teamMade, 99);
    const p50 = median(proxied);
    return {
      'cloud.dispatch': under({
        value: p99,
        unit: 'ms',
        ratio: p99 / percentile(ownMade, 99),
        target: 5,
      }),
      'cloud.proxied': under({
        value: p50,
        unit: 'ms',
        ratio: p50 / median(direct),
        target: 2.5,
      }),
      'cloud.list': under({
        value: Math.max(...delays),
        unit: 'ms',
        target: 1_000,
        promised: true,
      }),
    };
  },
};

const runnersRow: Row = {
  figures: ['cloud.rss', 'cloud.cpu', 'cloud.back'],
  async measure(lab, note): Promise<Record<string, Figure>> {
    if ((await findNewestPostgres(note)) === null) return {};
    const { share, rss, backMs } = await measureWithDatabase(lab, (program, database) =>
      measureRunners(lab, program, database),
    );
    return {
      'cloud.rss': under({ value: rss, unit: 'MiB', target: 300 }),
      'cloud.cpu': under({ value: share, unit: 'cores', target: 0.2 }),
      'cloud.back': under({ value: backMs, unit: 'ms', target: 15_000, promised: true }),
    };
  },
};

export const cloudRows: readonly Row[] = [startsRow, requestsRow, runnersRow];
