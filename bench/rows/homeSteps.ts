import { join } from 'node:path';
import { silentLog } from '../../src/base/system/log/log.ts';
import { findPostgres } from '../../src/cloud/database/local/findPostgres.ts';
import { openDatabase } from '../../src/cloud/database/openDatabase.ts';
import { ControlPlaneUnderTest } from '../controlPlaneUnderTest.ts';
import { atLeast, type Figure, under } from '../figure.ts';
import { HostProcess } from '../hostProcess.ts';
import type { EchoHostCalls } from '../hosts/echoHost.ts';
import type { HomeHostCalls } from '../hosts/homeHost.ts';
import type { ProxyHostCalls } from '../hosts/proxyHost.ts';
import type { TripsHostCalls } from '../hosts/tripsHost.ts';
import type { Lab } from '../lab.ts';
import { openDatabaseUnderTest } from '../openDatabaseUnderTest.ts';
import { type PairedRunner, pairHomeId } from '../pairRunner.ts';
import { median } from '../statistics.ts';
import { TeamOwner } from '../teamOwner.ts';
import type { Row } from './row.ts';

const RTTS_MS = [0, 20, 80];
const BUSY_JOBS = [1, 10, 100];
const MOST_JOBS = 100;
const ROUNDS = 3;
/** Of the steps of so many jobs in one round, ms. One job makes four steps a second. */
const STEPS_MS: Readonly<Record<number, number>> = { 1: 5_000, 10: 2_000, 100: 2_000 };
/** Empty frames and statements of each round. */
const BASE_COUNT = 30;
/** As an entry of the demo's jobs. */
const BASE_BYTES = 1_600;
/** Commits whose round trips are counted one by one. */
const COUNTED = 60;

type Home = HostProcess<HomeHostCalls>;

/** A log with nothing in it, into which the bare driver writes. */
async function addEmptyLog(database: string, { runnerId, homeId }: PairedRunner): Promise<void> {
  const { sql, close } = await openDatabase(database, { log: silentLog, max: 1 });
  const start = '0'.repeat(64);
  await sql`
    insert into homes (runner_id, team_id, home_id, generation, head, hash, state, takeover_ms, store_version,
      entries_after, after_hash, created_at)
    select id, team_id, ${homeId}, 1, 0, ${start}, 'open', 60000, 1, 0, ${start}, now()
    from runners where id = ${runnerId}`;
  await close();
}

/** Shares of the updates of `homes` that touched no index, 0 to 1. */
async function readHotShare(database: string): Promise<number> {
  const { sql, close } = await openDatabase(database, { log: silentLog, max: 1 });
  // The node reports what it did now and then.
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  const [row] = await sql`
    select n_tup_upd as updated, n_tup_hot_upd as hot from pg_stat_user_tables where relname = 'homes'`;
  await close();
  return Number(row?.hot) / Number(row?.updated);
}

interface Round {
  /** An empty frame and the statement, ms. */
  base: number;
  /** Steps with the log, by the number of busy jobs, ms. */
  steps: Record<number, number>;
}

class HomeSteps {
  readonly #lab: Lab;
  readonly #database: string;
  readonly #program: string;

  constructor(lab: Lab, database: string, program: string) {
    this.#lab = lab;
    this.#database = database;
    this.#program = program;
  }

  async #startHome(): Promise<Home> {
    const folder = await this.#lab.package();
    const checker = join(folder, 'dist', 'runner', 'checkpointCopy.js');
    return HostProcess.start<HomeHostCalls>(this.#lab, 'homeHost', checker);
  }

  async measure(note: (line: string) => void): Promise<Record<string, Figure>> {
    const lab = this.#lab;
    await using trips = await HostProcess.start<TripsHostCalls>(lab, 'tripsHost');
    const proxiedDatabase = await trips.call('open', this.#database);
    const folder = lab.folder('team');
    const cloud = await ControlPlaneUnderTest.start(this.#program, {
      home: folder,
      database: proxiedDatabase,
    });
    try {
      const owner = await TeamOwner.create(cloud.url, cloud.ownerLink ?? '');
      const bare = await pairHomeId(cloud, owner, 'bare');
      await addEmptyLog(this.#database, bare);
      const figures: Record<string, Figure> = {};
      await using alone = await this.#startHome();
      await alone.call('open', null, MOST_JOBS);
      for (const rttMs of RTTS_MS) {
        const runner = await pairHomeId(cloud, owner, `rtt-${rttMs}`);
        Object.assign(figures, await this.#measureAt(rttMs, { cloud, runner, bare, alone, note }));
      }
      const runner = await pairHomeId(cloud, owner, 'counted');
      Object.assign(figures, await this.#countTrips(cloud, runner, trips));
      await alone.call('close');
      return figures;
    } finally {
      await cloud.end('SIGTERM');
    }
  }

  async #measureAt(
    rttMs: number,
    parts: {
      cloud: ControlPlaneUnderTest;
      runner: PairedRunner;
      bare: PairedRunner;
      alone: Home;
      note: (line: string) => void;
    },
  ): Promise<Record<string, Figure>> {
    const { cloud, runner, bare, alone, note } = parts;
    const lab = this.#lab;
    await using proxy = await HostProcess.start<ProxyHostCalls>(lab, 'proxyHost');
    await using echo = await HostProcess.start<EchoHostCalls>(lab, 'echoHost');
    const network = { rttMs, bytesPerMs: null };
    const front = await proxy.call('open', cloud.port, network);
    const echoFront = await proxy.call('open', await echo.call('port'), network);
    await using home = await this.#startHome();
    const { token, homeId } = runner;
    await home.call('open', { url: `http://127.0.0.1:${front}`, token, homeId }, MOST_JOBS);
    const local: Record<number, number>[] = [];
    const rounds: Round[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const frames = await home.call('frames', `ws://127.0.0.1:${echoFront}`, BASE_COUNT);
      const size = { count: BASE_COUNT, bytes: BASE_BYTES };
      const statements = await home.call('statements', this.#database, bare.runnerId, size);
      const steps: Record<number, number> = {};
      const without: Record<number, number> = {};
      for (const jobs of BUSY_JOBS) {
        const ms = STEPS_MS[jobs] ?? 0;
        without[jobs] = median(await alone.call('steps', jobs, ms / 2));
        steps[jobs] = median(await home.call('steps', jobs, ms));
      }
      rounds.push({ base: median(frames) + median(statements), steps });
      local.push(without);
    }
    await home.call('close');
    const at = (values: readonly Record<number, number>[], jobs: number, round: number): number =>
      values[round]?.[jobs] ?? Number.NaN;
    const subtractLocal = (jobs: number) =>
      rounds.map(({ steps }, round) => (steps[jobs] ?? Number.NaN) - at(local, jobs, round));
    const ratios = (jobs: number) =>
      subtractLocal(jobs).map((ms, round) => ms / (rounds[round]?.base ?? Number.NaN));
    for (const jobs of BUSY_JOBS)
      note(
        `${rttMs} ms away, ${jobs} busy: a step takes ${median(rounds.map(({ steps }) => steps[jobs] ?? Number.NaN)).toFixed(1)} ms, ${median(local.map((one) => one[jobs] ?? Number.NaN)).toFixed(1)} ms without the log; added ${median(subtractLocal(jobs)).toFixed(1)} ms, ${median(ratios(jobs)).toFixed(2)} x of ${median(rounds.map(({ base }) => base)).toFixed(1)} ms`,
      );
    return {
      [`homes.step${rttMs}`]: under({
        value: median(subtractLocal(1)),
        unit: 'ms',
        ratio: median(ratios(1)),
        target: 1.5,
      }),
    };
  }

  /** What one commit asks of PostgreSQL. */
  async #countTrips(
    cloud: ControlPlaneUnderTest,
    { token, homeId }: PairedRunner,
    trips: HostProcess<TripsHostCalls>,
  ): Promise<Record<string, Figure>> {
    await using home = await this.#startHome();
    await home.call('open', { url: cloud.url, token, homeId }, 1);
    const counts: { trips: number; statements: number }[] = [];
    for (let n = 0; n < COUNTED; n += 1) {
      const head = await home.call('head');
      await trips.call('take');
      await home.call('step');
      const count = await trips.call('take');
      if ((await home.call('head')) === head + 1) counts.push(count);
    }
    await home.call('close');
    return {
      'homes.trips': under({
        value: median(counts.map((one) => one.trips)),
        unit: 'a commit',
        target: 1.01,
      }),
      'homes.statements': under({
        value: median(counts.map((one) => one.statements)),
        unit: 'a commit',
        target: 1.01,
      }),
      'homes.hot': atLeast({
        value: await readHotShare(this.#database),
        unit: 'of updates',
        target: 1,
      }),
    };
  }
}

/** What the log of a home at a control plane costs: a step, and PostgreSQL. */
export const homeStepsRow: Row = {
  figures: [
    ...RTTS_MS.map((rttMs) => `homes.step${rttMs}`),
    'homes.trips',
    'homes.statements',
    'homes.hot',
  ],
  async measure(lab, note) {
    if ((await findPostgres(process.env.PATH ?? ''))[0] === undefined) {
      note('left out: PostgreSQL is not installed');
      return {};
    }
    const program = await lab.program();
    const local = await openDatabaseUnderTest(lab);
    try {
      return await new HomeSteps(lab, local.url, program).measure(note);
    } finally {
      await local.stop();
    }
  },
};
