import { toQuotaAccountId } from '../../../src/base/agents/credentialPool.ts';
import type { Caps } from '../../../src/base/spending/budgetScopes.ts';
import type { Batch } from '../../../src/kernel/writer.ts';
import type { Report } from '../../../src/contract/schema/api/report.ts';
import type { Settings } from '../../../src/contract/schema/runner/settings.ts';
import { Chance } from '../chance.ts';
import { Life } from '../life.ts';
import { PRICE } from '../usageTruths.ts';
import { World } from '../world.ts';
import type { JobPlan } from './agents/kind.ts';
import { OUTSIDER } from './agents/obeysOutsiders.ts';
import { ACCOUNTS, Endpoint, createCredentialPool } from './endpoint.ts';
import { weekendOverlay } from './overlay.ts';
import { type Params, WeekendPerson } from './person.ts';
import { type Plan, WHOLE } from './plan.ts';
import { WeekendRecord } from './record.ts';
import { playWeekend } from './scripts.ts';
import { type Row, listRows } from './table.ts';
import { noRemote } from '../../support/standIns/noRunnerGates.ts';

const HOUR_MS = 3_600_000;
/** Friday, 18:00 UTC. */
const BEGINS_AT = Date.UTC(2026, 0, 2, 18);
const SLOTS = 8;
/** Longest time between a kill and the next start, ms. */
const DOWN_MS = 60_000;
/** Longest time from the moment a kill is due until a commit that it can follow, ms. */
const KILL_WAITS_MS = 2 * HOUR_MS;
/** What a sub-run does: it has no plan of its own. */
const PART: JobPlan = {
  name: 'a part',
  does: 'steady',
  account: 'beta',
  at: 0,
  tokens: 50_000,
  minutes: 6,
};

/** One thing of the product that does not work: to prove that a truth notices it. */
export interface Fault {
  /** What is written. */
  sabotage?: (batch: Batch) => Batch;
  /** What the runner believes that the caps of all jobs are. */
  caps?: Caps;
  /** Rules about repetition. */
  noProgress?: Settings['noProgress'];
  /** No account of any provider is known. */
  poolsUnknown?: boolean;
  /** Rules about what agents do. */
  guardrails?: Settings['guardrails'];
  /** No invariant holds, and what an outsider writes passes for an approval. */
  isLax?: boolean;
  /** What the runner takes of the params of a job. */
  params?: Params;
  /** What people are shown at the end. */
  report?: (report: Report) => Report;
  costs?: (dollars: number | null) => number | null;
}

/** A weekend that has gone by. */
export interface Weekend {
  seed: number;
  plan: Plan;
  world: World;
  record: WeekendRecord;
  endpoint: Endpoint;
  /** The jobs by the names of their plans. */
  jobs: ReadonlyMap<string, string>;
  beganAt: number;
  kills: number;
  /** For a person: the outcome of each job. */
  rows: readonly Row[];
  /** The sum of `GET /costs`, dollars. */
  costs: number | null;
  /** What a person is shown of all of it. */
  report: Report | null;
}

export interface WeekendOptions {
  /** Default: the whole weekend. */
  plan?: Plan;
  fault?: Fault;
  reported?: (line: string) => void;
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** The world of a plan: its jobs are played by their kinds of agents. */
function openWorld(
  seed: number,
  { jobs, caps, hours }: Plan,
  { fault, reported }: { fault: Fault; reported: WeekendOptions['reported'] },
  { record, endpoint, chance }: { record: WeekendRecord; endpoint: Endpoint; chance: Chance },
  outside: () => WeekendPerson,
): World {
  const { sabotage = (batch: Batch) => batch } = fault;
  const findPlan = (jobId: string): JobPlan => {
    const { description } = world.life?.runner.job(jobId).params ?? {};
    return jobs.find(({ name }) => name === description) ?? PART;
  };
  const world: World = new World({
    seed,
    ...(reported ? { reported } : {}),
    spends: 'asked',
    caps,
    ...(fault.caps ? { runnerCaps: fault.caps } : {}),
    pool: (provider) => (fault.poolsUnknown ? null : createCredentialPool(provider)),
    sabotage: (batch) => {
      const written = sabotage(batch);
      record.take(written, world.clock.now());
      return written;
    },
    stage: {
      overlay: weekendOverlay(fault.isLax === true),
      guardrails: fault.guardrails ?? { enabled: true, rules: [] },
      takesForApproval: (author) => fault.isLax === true && author === OUTSIDER,
      work: (jobId) => `${record.works.get(jobId) ?? 0}`,
      runner: { maxConcurrentJobs: SLOTS, sessionMinutes: hours * 60 },
      ...(fault.noProgress ? { noProgress: fault.noProgress } : {}),
      // A message that waits for the end of a turn begins the next one.
      folds: false,
      steerable: (jobId) => findPlan(jobId).does === 'silent',
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
          ...noRemote,
          random: () => chance.int(0, 999) / 1_000,
        },
      }),
    },
    async play(hands) {
      const plan = findPlan(hands.jobId);
      const { visit, session } = hands.request;
      const pool = createCredentialPool(`command:${plan.account}`);
      const pools = world.life?.runner.accounts() ?? [];
      record.began({
        at: world.clock.now(),
        jobId: hands.jobId,
        visit,
        session,
        account: plan.account,
        pool: pools.find(({ id }) => pool && id === toQuotaAccountId(pool))?.state ?? 'open',
      });
      const now = () => world.clock.now();
      return playWeekend(hands, { plan, endpoint, now, record, outside: outside() });
    },
  });
  world.stormy = false;
  world.clock.advance(BEGINS_AT - world.clock.now());
  return world;
}

/** Lives of the runner in sequence, until the plan is over. Answers the kills. */
async function liveThrough(world: World, { hours, kills: most }: Plan, chance: Chance) {
  const ends = BEGINS_AT + hours * HOUR_MS;
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
  for (let n = 0; n < most; n++)
    world.clock.at(chance.int(BEGINS_AT, ends - 2 * KILL_WAITS_MS), () => {
      if (n % 2 === 0) return kill();
      due.push(world.clock.now() + KILL_WAITS_MS);
      world.clock.at(world.clock.now() + KILL_WAITS_MS, () => {});
    });
  live();
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
  return kills;
}

/**
 * Jobs that are left alone: a runner that is killed, endpoints with limits, agents that repeat themselves
 * and spend what they are given. The caller closes `world.store`.
 */
export async function simulateWeekend(
  seed: number,
  { plan = WHOLE, fault = {}, reported }: WeekendOptions = {},
): Promise<Weekend> {
  const chance = new Chance(`weekend ${seed}`);
  const record = new WeekendRecord();
  const endpoint = new Endpoint(BEGINS_AT, plan.limits);
  const parts = { record, endpoint, chance };
  const world = openWorld(seed, plan, { fault, reported }, parts, () => person);
  const { params = (all) => all } = fault;
  const person = new WeekendPerson({ world, jobs: plan.jobs, endpoint, record, params });
  person.begin();
  const kills = await liveThrough(world, plan, chance);
  const { runner } = world.life ?? {};
  const since = new Date(BEGINS_AT).toISOString();
  const { report: changeReport = (all) => all, costs: changeCosts = (all) => all } = fault;
  return {
    seed,
    plan,
    world,
    record,
    endpoint,
    jobs: person.jobs,
    beganAt: BEGINS_AT,
    kills,
    rows: runner ? listRows(world, plan, person.jobs, record) : [],
    costs: changeCosts((await runner?.costs({}))?.sum.usd ?? null),
    report: runner ? changeReport(await runner.report({ since })) : null,
  };
}

/** The process ends, and its store with it. */
export function over({ world }: Pick<Weekend, 'world'>): void {
  world.life?.die();
  world.store.close();
}
