import type { Batch } from '../../../src/durable/writer.ts';
import { poolId } from '../../../src/domain/credentialPool.ts';
import type { Report } from '../../../src/schema/report.ts';
import { Chance } from '../chance.ts';
import { Life } from '../life.ts';
import { PRICE } from '../usageTruths.ts';
import { World } from '../world.ts';
import { ACCOUNTS, Endpoint, poolOf } from './endpoint.ts';
import { weekendOverlay } from './overlay.ts';
import { WeekendPerson } from './person.ts';
import { CAPS, JOBS, type JobPlan } from './plan.ts';
import { WeekendRecord } from './record.ts';
import { playWeekend } from './scripts.ts';
import { type Row, rowsOf } from './table.ts';

const HOUR_MS = 3_600_000;
export const HOURS = 64;
/** Of the runner's process: half at any time, half just after the next commit. */
export const KILLS = 30;
/** Friday, 18:00 UTC. */
const BEGINS_AT = Date.UTC(2026, 0, 2, 18);
const SLOTS = 8;
/** Longest time between a kill and the next start, ms. */
const DOWN_MS = 60_000;
/** What a sub-run does: it has no plan of its own. */
const PART: JobPlan = {
  name: 'a part',
  does: 'steady',
  account: 'beta',
  at: 0,
  tokens: 50_000,
  minutes: 6,
};

/** A weekend that has gone by. */
export interface Weekend {
  seed: number;
  world: World;
  record: WeekendRecord;
  endpoint: Endpoint;
  /** The jobs by the names of their plans. */
  jobs: ReadonlyMap<string, string>;
  beganAt: number;
  kills: number;
  /** For a person: what became of each job. */
  rows: readonly Row[];
  /** The sum of `GET /costs`, dollars. */
  costs: number | null;
  /** What a person is shown of all of it. */
  report: Report | null;
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * 64 hours of 20 jobs that are left alone: a runner that is killed 30 times, endpoints with limits,
 * agents that go round in circles and spend what they are given. The caller closes `world.store`.
 */
export async function simulateWeekend(
  seed: number,
  {
    sabotage = (batch) => batch,
    reported,
  }: { sabotage?: (batch: Batch) => Batch; reported?: (line: string) => void } = {},
): Promise<Weekend> {
  const chance = new Chance(`weekend ${seed}`);
  const record = new WeekendRecord();
  const world: World = new World({
    seed,
    ...(reported ? { reported } : {}),
    spends: 'asked',
    caps: CAPS,
    pool: poolOf,
    sabotage: (batch) => {
      const written = sabotage(batch);
      record.take(written, world.clock.now());
      return written;
    },
    stage: {
      overlay: weekendOverlay(),
      work: (jobId) => `${record.laps.get(jobId) ?? 0}`,
      runner: { maxConcurrentJobs: SLOTS, sessionMinutes: HOURS * 60 },
      llm: {
        defaultProvider: 'command',
        aliases: Object.fromEntries(
          ACCOUNTS.map((account) => [
            account,
            { provider: `command:${account}`, model: PRICE.model },
          ]),
        ),
      },
      remote: () => ({
        forges: [],
        settings: {
          watch: {},
          problems: {},
          webhooks: {},
          random: () => chance.int(0, 999) / 1_000,
        },
      }),
    },
    async play(hands) {
      const { runner } = world.life ?? {};
      const job = runner?.job(hands.jobId);
      const plan = JOBS.find(({ name }) => name === job?.params.description) ?? PART;
      const { visit, session } = hands.request;
      const pool = poolOf(`command:${plan.account}`);
      const state = runner?.pools().find(({ id }) => pool && id === poolId(pool))?.state;
      record.starts.push({
        at: world.clock.now(),
        jobId: hands.jobId,
        visit,
        session,
        account: plan.account,
        pool: state ?? 'open',
      });
      return playWeekend(hands, { plan, endpoint, now: () => world.clock.now(), record });
    },
  });
  world.stormy = false;
  world.clock.advance(BEGINS_AT - world.clock.now());
  const endpoint = new Endpoint(BEGINS_AT);
  const ends = BEGINS_AT + HOURS * HOUR_MS;
  let lives = 0;
  let kills = 0;
  const live = () => {
    lives += 1;
    world.starts.push({ at: world.clock.now(), clean: false });
    world.life = new Life(world, lives);
    void world.life.start();
  };
  const kill = () => {
    if (!world.life) return void world.clock.at(world.clock.now() + DOWN_MS, kill);
    world.life.die();
    kills += 1;
    world.counts.crashes += 1;
    world.clock.at(world.clock.now() + chance.wait(500, DOWN_MS), live);
  };
  /** Kills that wait for the next commit, by when they come at the latest. */
  const due: number[] = [];
  for (let n = 0; n < KILLS; n++)
    world.clock.at(chance.int(BEGINS_AT, ends - 4 * HOUR_MS), () => {
      if (n % 2 === 0) return kill();
      due.push(world.clock.now() + 2 * HOUR_MS);
      world.clock.at(world.clock.now() + 2 * HOUR_MS, () => {});
    });
  live();
  const person = new WeekendPerson(world, endpoint, record);
  person.begin();
  world.clock.at(ends, () => {});
  while (world.clock.now() < ends && world.broken.length === 0) {
    const before = world.counts.commits;
    world.clock.runNext();
    const isDue = world.counts.commits > before || world.clock.now() >= (due[0] ?? ends);
    if (due.length > 0 && world.life && isDue) {
      due.shift();
      kill();
    }
    await settle();
  }
  const rows = world.life ? rowsOf(world, person.jobs, record) : [];
  const costs = world.life?.runner.costs({}).sum.usd ?? null;
  const since = new Date(BEGINS_AT).toISOString();
  const report = world.life?.runner.report({ since }) ?? null;
  return {
    seed,
    world,
    record,
    endpoint,
    jobs: person.jobs,
    beganAt: BEGINS_AT,
    kills,
    rows,
    costs,
    report,
  };
}
