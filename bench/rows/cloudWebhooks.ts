import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { randomIds } from '../../src/base/system/ids/ids.ts';
import { silentLog } from '../../src/base/system/log/log.ts';
import { systemClock } from '../../src/base/time/clock.ts';
import { findPostgres } from '../../src/cloud/database/local/findPostgres.ts';
import { openLocalDatabase } from '../../src/cloud/database/local/openLocalDatabase.ts';
import type { PostgresProgram } from '../../src/cloud/database/local/postgresProgram.ts';
import { openDatabase } from '../../src/cloud/database/openDatabase.ts';
import type { Database } from '../../src/cloud/database/database.ts';
import { ControlPlaneUnderTest } from '../controlPlaneUnderTest.ts';
import { commentDeliveries, HOOK_REPO, HOOK_SECRET } from '../deliveries.ts';
import { atLeast, type Figure, under } from '../figure.ts';
import { writeHome } from '../home.ts';
import { HostProcess } from '../hostProcess.ts';
import type { KoaInsertHostCalls } from '../hosts/koaInsertHost.ts';
import { HttpConnection, requestBytes } from '../httpConnection.ts';
import { openJobKernel } from '../jobKernel.ts';
import type { Lab } from '../lab.ts';
import { pairRunner } from '../pairRunner.ts';
import { RunnerUnderTest } from '../runnerUnderTest.ts';
import { SILENT_PORTS, seedParked } from '../seedJobs.ts';
import { sendAll } from '../sendAll.ts';
import { median, percentile } from '../statistics.ts';
import { TeamOwner } from '../teamOwner.ts';
import { waitUntil } from '../waitUntil.ts';
import type { Row } from './row.ts';

/** Each may send 500 at once before it is slowed down. */
const TEAMS = 16;
const ROUNDS = 3;
const DELIVERIES_PER_ROUND = 1_000;
const JOURNALED = 200;
const TICKETS = 50;
const LISTED_JOBS = 100_000;
const HEALTH_REQUESTS = 1_500;
/** Between two requests for the health, ms: more often than any monitor asks. */
const HEALTH_EVERY_MS = 2;
const KEY = Buffer.alloc(32, 5).toString('base64');

/** Further teams of the owner, each with a runner that is away; where GitHub sends their webhooks. */
async function addTeams(cloud: ControlPlaneUnderTest, owner: TeamOwner, { sql }: Database) {
  const connection = await HttpConnection.open(cloud.port);
  const paths: string[] = [];
  const now = new Date();
  for (let n = 0; n < TEAMS; n += 1) {
    const fields = { name: `Team ${n}`, slug: `team-${n}` };
    const { id } = JSON.parse(await connection.ask(owner.requestAt('POST', '/teams', fields)));
    const webhook = { plugin: 'github', secret: HOOK_SECRET };
    await connection.ask(owner.requestAt('POST', `/teams/${id}/webhooks`, webhook));
    await sql`insert into runners (id, team_id, home_id, name, accept, token_hash, token_at, created_at)
      values (${`away-${n}`}, ${id}, ${`away-${n}`}, 'away', 'team', ${`away-${n}`}, ${now}, ${now})`;
    paths.push(`/webhook/${id}/github`);
  }
  connection.close();
  return paths;
}

/** Deliveries a second, by turns with bare Koa that verifies the same HMAC and makes one insert. */
async function measureIngress(
  lab: Lab,
  { cloud, owner, database, url }: IngressStage,
): Promise<{ rate: number; ratio: number }> {
  const paths = await addTeams(cloud, owner, database);
  await using bare = await HostProcess.start<KoaInsertHostCalls>(
    lab,
    'koaInsertHost',
    HOOK_SECRET,
    url,
  );
  const barePort = await bare.call('port');
  const rounds: { rate: number; ratio: number }[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const first = round * DELIVERIES_PER_ROUND;
    const create = (to: readonly string[]) =>
      commentDeliveries(DELIVERIES_PER_ROUND, TICKETS, { first, paths: to });
    const base = await sendAll(barePort, create(['/']));
    const ours = await sendAll(cloud.port, create(paths));
    // The first one warms both up.
    if (round > 0) rounds.push({ rate: ours.rate, ratio: ours.rate / base.rate });
  }
  return {
    rate: median(rounds.map(({ rate }) => rate)),
    ratio: median(rounds.map(({ ratio }) => ratio)),
  };
}

/** Lets the runner of a home take the comments of GitHub on its jobs, itself and from its team. */
function takeComments(home: string): void {
  const file = join(home, 'config.json');
  const config: object = JSON.parse(readFileSync(file, 'utf8'));
  const github = {
    config: {
      token: 'ghp_none',
      baseUrl: 'http://127.0.0.1:9',
      selfIsPerson: true,
      webhookSecret: HOOK_SECRET,
    },
  };
  writeFileSync(file, JSON.stringify({ ...config, plugins: { installed: { github } } }));
}

/** One comment after another, by turns to the runner itself and to its team; ms until it is in the journal. */
async function measureJournal(lab: Lab, program: string, { cloud, owner, database }: IngressStage) {
  const home = lab.folder('hooked');
  writeHome(home);
  const seeded = await openJobKernel(home, SILENT_PORTS);
  await seedParked(seeded.kernel, 0, TICKETS, (n) => ({ jiraTicketId: `${HOOK_REPO}#${n + 1}` }));
  await seeded[Symbol.asyncDispose]();
  takeComments(home);
  await pairRunner(cloud, owner, home);
  const runner = await RunnerUnderTest.start(program, home);
  try {
    const isReplicated = async () => {
      const health = await (await fetch(`http://127.0.0.1:${runner.port}/health`)).json();
      return health.cloud?.state.place === 'replicated';
    };
    await waitUntil(isReplicated);
    const [toRunner, toCloud] = await Promise.all([
      HttpConnection.open(runner.port),
      HttpConnection.open(cloud.port),
    ]);
    const webhook = { plugin: 'github', secret: HOOK_SECRET };
    await toCloud.ask(owner.request('POST', '/webhooks', webhook));
    const { id } = JSON.parse(await toCloud.ask(owner.request('GET', '')));
    const direct = commentDeliveries(JOURNALED, TICKETS, { first: 1_000_000 });
    const paths = [`/webhook/${id}/github`];
    const deliveries = commentDeliveries(JOURNALED, TICKETS, { first: 2_000_000, paths });
    const own: number[] = [];
    const team: number[] = [];
    // A runner that has committed a delivery is no longer among those that wait for it.
    const isCommitted = async () => {
      const [row] = await database.sql`
        select exists (select from webhook_sends join runners on runners.id = webhook_sends.runner_id
          where runners.team_id = ${id}) as waits`;
      return row?.waits === false;
    };
    for (const [n, request] of deliveries.entries()) {
      const began = performance.now();
      await toRunner.ask(direct[n] ?? request);
      own.push(performance.now() - began);
      const sentAt = performance.now();
      await toCloud.ask(request);
      await waitUntil(isCommitted, 0);
      team.push(performance.now() - sentAt);
    }
    toRunner.close();
    toCloud.close();
    return { own, team };
  } finally {
    await runner.end('SIGTERM');
  }
}

/** Jobs of a runner that is away, in the list of a team. */
async function seedJobs({ sql }: Database): Promise<void> {
  const now = new Date();
  const summary = JSON.stringify({ description: 'A job of the bench. '.repeat(40) });
  await sql`
    insert into jobs (team_id, runner_id, job_id, change, summary, status, type, title, needs_person, created_at, updated_at)
    select team_id, id, 'job-' || n, n, ${summary}::text::jsonb, 'complete', 'job', 'Number ' || n, false, ${now}, ${now}
    from runners, generate_series(1, ${LISTED_JOBS}::int) n where id = 'away-0'`;
}

/** How long each answer of `GET /health` takes while `isOver` is not so, ms. */
async function timeHealth(port: number, isOver: (count: number) => boolean): Promise<number[]> {
  const connection = await HttpConnection.open(port);
  const request = requestBytes('GET', '/health');
  const ms: number[] = [];
  while (!isOver(ms.length)) {
    const began = performance.now();
    await connection.ask(request);
    ms.push(performance.now() - began);
    await wait(HEALTH_EVERY_MS);
  }
  connection.close();
  return ms;
}

/** By turns without and with `pg_dump` of a team of 100,000 jobs. */
async function measureDump(
  lab: Lab,
  { folder }: PostgresProgram,
  { cloud, database, url }: IngressStage,
): Promise<{ idle: number[]; dumping: number[]; dumps: number }> {
  await seedJobs(database);
  const file = join(lab.folder('dump'), 'svc.dump');
  const idle: number[] = [];
  const dumping: number[] = [];
  let dumps = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const enough = HEALTH_REQUESTS / ROUNDS;
    idle.push(...(await timeHealth(cloud.port, (count) => count >= enough)));
    let isRunning = true;
    const dumped = (async () => {
      while (isRunning) {
        const args = ['--format=custom', `--file=${file}`, `--dbname=${url}`];
        const child = spawn(join(folder, 'pg_dump'), args, { stdio: 'ignore' });
        const [code] = await once(child, 'exit');
        if (code !== 0) throw new Error(`pg_dump ended with ${code}`);
        dumps += 1;
      }
    })();
    dumping.push(...(await timeHealth(cloud.port, (count) => count >= enough)));
    isRunning = false;
    await dumped;
  }
  return { idle, dumping, dumps };
}

interface IngressStage {
  cloud: ControlPlaneUnderTest;
  owner: TeamOwner;
  database: Database;
  url: string;
}

/** Webhooks of a team beside those of a runner alone, and a dump of the database while nodes answer. */
export const cloudWebhooksRow: Row = {
  figures: ['cloud.ingress', 'cloud.journal', 'cloud.dump'],
  async measure(lab, note): Promise<Record<string, Figure>> {
    const [postgres] = await findPostgres(process.env.PATH ?? '');
    if (postgres === undefined) {
      note('left out: PostgreSQL is not installed');
      return {};
    }
    const program = await lab.program();
    const local = await openLocalDatabase(
      {
        home: lab.folder('database'),
        path: process.env.PATH ?? '',
        isRoot: process.getuid?.() === 0,
        install: async () => null,
      },
      { ids: randomIds, clock: systemClock, log: silentLog },
    );
    const { url } = local;
    try {
      const home = lab.folder('team');
      const cloud = await ControlPlaneUnderTest.start(program, { home, database: url, key: KEY });
      const owner = await TeamOwner.create(cloud.url, cloud.ownerLink ?? '');
      const database = await openDatabase(url, { log: silentLog, max: 2 });
      try {
        const measured = { cloud, owner, database, url };
        const ingress = await measureIngress(lab, measured);
        const { own, team } = await measureJournal(lab, program, measured);
        note(
          `a comment sent to the runner: p50 ${median(own).toFixed(1)} ms, p99 ${percentile(own, 99).toFixed(1)} ms; to its team: p50 ${median(team).toFixed(1)} ms`,
        );
        const { idle, dumping, dumps } = await measureDump(lab, postgres, measured);
        note(
          `GET /health: p99 ${percentile(idle, 99).toFixed(1)} ms idle, during ${dumps} dumps of ${LISTED_JOBS} jobs p50 ${median(dumping).toFixed(1)} ms`,
        );
        const journal = percentile(team, 99);
        const health = percentile(dumping, 99);
        return {
          'cloud.ingress': atLeast({
            value: ingress.rate,
            unit: '/s',
            ratio: ingress.ratio,
            target: 0.3,
          }),
          'cloud.journal': under({
            value: journal,
            unit: 'ms',
            ratio: journal / percentile(own, 99),
            target: 5,
          }),
          'cloud.dump': under({
            value: health,
            unit: 'ms',
            ratio: health / percentile(idle, 99),
            target: 3,
          }),
        };
      } finally {
        await database.close();
        await cloud.end('SIGTERM');
      }
    } finally {
      await local.stop();
    }
  },
};
