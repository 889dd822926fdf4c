import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { TeamMachine } from '../../demo/cloud/teamMachine.ts';
import { silentLog } from '../../src/base/system/log/log.ts';
import { findPostgres } from '../../src/cloud/database/local/findPostgres.ts';
import { openDatabase } from '../../src/cloud/database/openDatabase.ts';
import type { TakeoverSettings } from '../../src/cloud/homes/takeovers.ts';
import { Database } from '../../src/kernel/sqlite/database.ts';
import { under } from '../figure.ts';
import type { Lab } from '../lab.ts';
import { HUNDRED_MBIT } from '../openSlowProxy.ts';
import { openDatabaseUnderTest } from '../openDatabaseUnderTest.ts';
import { median } from '../statistics.ts';
import { TeamLab } from '../teamLab.ts';
import type { Row } from './row.ts';

const HOME_MIB = 64;
const MIB = 1024 * 1024;
/** Jobs of the demo whose commits are counted. */
const DEMO_JOBS = 3;
const RESTARTS = 5;
/** After a plan is approved, until the agent that changes the code is at work, ms. */
const AT_WORK_MS = 700;
const LOCAL = { rttMs: 0, bytesPerMs: null };
const HUNDRED_MBIT_AWAY = { rttMs: 20, bytesPerMs: HUNDRED_MBIT };

/** Rows of a job of long ago that cannot be compressed much, so that the state has so many MiB. */
async function fillHome({ runner, home, temporary }: TeamMachine): Promise<void> {
  await runner.start({ TMPDIR: temporary });
  await runner.stop();
  const db = new Database(join(home, 'state.db'));
  db.transaction(() => {
    for (let n = 1; n <= HOME_MIB * 16; n += 1) {
      const line = randomBytes(MIB / 16)
        .toString('base64')
        .slice(0, MIB / 16);
      const data = JSON.stringify({ from: 'runner', tag: 'bench', line });
      db.run(
        `INSERT INTO frames (actor, n, at, kind, data) VALUES ('long-ago', ?, ?, 'log', ?)`,
        n,
        Date.now(),
        data,
      );
    }
  });
  db.close();
}

/** Plays a job on the machine until its agent changes the code; gives its id and how many steps it has made. */
async function beginWork(team: TeamLab, machine: TeamMachine) {
  const jobId = await team.begin(machine);
  await team.play(machine, jobId, ({ parked }) => parked?.kind === 'approval');
  await team.play(machine, jobId, ({ parked }) => parked === null);
  await wait(AT_WORK_MS);
  const { journalLength } = await team.client(machine).job(jobId);
  return { jobId, steps: journalLength };
}

/** From a kill of one of two runners until the other one has made the next step of its job, s. */
async function measureLoss(
  lab: Lab,
  database: string,
  takeover: Partial<TakeoverSettings>,
  end: (machine: TeamMachine) => Promise<unknown>,
): Promise<number> {
  await using team = await TeamLab.open(lab, database, { takeover, network: HUNDRED_MBIT_AWAY });
  const [first, second] = [team.prepare('pool-1'), team.prepare('pool-2')];
  const openedAt = performance.now();
  await fillHome(first);
  await team.join(first);
  await team.join(second);
  // No takeover begins within this time of a start.
  const quietMs = takeover.quietMs ?? 120_000;
  await wait(Math.max(0, quietMs + 5_000 - (performance.now() - openedAt)));
  const { jobId, steps } = await beginWork(team, first);
  const began = performance.now();
  await Promise.all([end(first), team.awaitContinuation(first, jobId, steps)]);
  return (performance.now() - began) / 1_000;
}

/** KB of each commit of some jobs of the demo. */
async function measureBytes(lab: Lab, database: string, note: (line: string) => void) {
  await using team = await TeamLab.open(lab, database, { takeover: {}, network: LOCAL });
  const machine = team.prepare('pool-1');
  await team.join(machine);
  for (let n = 0; n < DEMO_JOBS; n += 1) {
    const jobId = await team.begin(machine);
    await team.play(machine, jobId, ({ ended }) => ended);
  }
  const { sql, close } = await openDatabase(database, { log: silentLog, max: 1 });
  const rows = await sql`
    select size from commits join homes using (log_id) join runners on runners.id = homes.runner_id
    where runners.name = 'pool-1'`;
  await close();
  const sizes = rows.map(({ size }) => Number(size) / 1_000);
  const mean = sizes.reduce((sum, size) => sum + size, 0) / sizes.length;
  note(
    `${sizes.length} commits of ${DEMO_JOBS} jobs: median ${median(sizes).toFixed(2)} KB, largest ${Math.max(...sizes).toFixed(1)} KB`,
  );
  return mean;
}

/** From the start of a process until it answers, ms; the process before it was killed or stopped. */
async function timeRestart(
  { runner, temporary }: TeamMachine,
  how: 'kill' | 'stop',
): Promise<number> {
  await runner[how]();
  const began = performance.now();
  await runner.start({ TMPDIR: temporary });
  return performance.now() - began;
}

/** By how much a restart of a home with a log takes longer than that of one without, s; by turns. */
async function measureRestarts(lab: Lab, database: string, note: (line: string) => void) {
  await using team = await TeamLab.open(lab, database, {
    takeover: {},
    network: HUNDRED_MBIT_AWAY,
  });
  const [member, alone] = [team.prepare('pool-1'), team.prepare('alone')];
  await fillHome(member);
  await fillHome(alone);
  await team.join(member);
  await alone.runner.start({ TMPDIR: alone.temporary });
  const more: number[] = [];
  for (const how of ['kill', 'stop'] as const) {
    const [own, other]: [number[], number[]] = [[], []];
    for (let n = 0; n < RESTARTS; n += 1) {
      other.push(await timeRestart(alone, how));
      own.push(await timeRestart(member, how));
    }
    note(
      `restart after a ${how}: ${median(own).toFixed(0)} ms, without a log ${median(other).toFixed(0)} ms`,
    );
    more.push(median(own) - median(other));
  }
  return Math.max(...more) / 1_000;
}

/** A figure that needs a PostgreSQL of its own. */
const createRow = (
  figure: string,
  { unit, target }: { unit: string; target: number },
  measure: (lab: Lab, database: string, note: (line: string) => void) => Promise<number>,
): Row => ({
  // Each takes minutes.
  byHand: true,
  figures: [figure],
  async measure(lab, note) {
    if ((await findPostgres(process.env.PATH ?? ''))[0] === undefined) {
      note('left out: PostgreSQL is not installed');
      return {};
    }
    const local = await openDatabaseUnderTest(lab);
    try {
      const value = await measure(lab, local.url, note);
      return { [figure]: under({ value, unit, target, promised: true }) };
    } finally {
      await local.stop();
    }
  },
});

const kill = (machine: TeamMachine) => machine.runner.kill();
const release = (machine: TeamMachine) => machine.runner.command('runner', 'release');

/** Homes with a log whose runner works, is restarted, lost or released. */
export const homeTakeoverRows: readonly Row[] = [
  createRow('homes.bytes', { unit: 'KB', target: 2.5 }, measureBytes),
  createRow('homes.restart', { unit: 's', target: 2 }, measureRestarts),
  createRow('homes.lost5', { unit: 's', target: 12 }, (lab, database) =>
    measureLoss(lab, database, { windowMs: 5_000, quietMs: 2_000 }, kill),
  ),
  createRow('homes.release', { unit: 's', target: 10 }, (lab, database) =>
    measureLoss(lab, database, { quietMs: 2_000 }, release),
  ),
  createRow('homes.lost60', { unit: 's', target: 70 }, (lab, database) =>
    measureLoss(lab, database, {}, kill),
  ),
];
