import type { CredentialPool } from '../../../src/base/agents/credentialPool.ts';
import type { Batch } from '../../../src/kernel/writer.ts';
import type { QuotaKind } from '../../../src/base/agents/quotaKinds.ts';
import { REPO } from '../forge.ts';
import type { Hands } from '../agents.ts';
import { Chance } from '../chance.ts';
import { Life } from '../life.ts';
import { LONGEST_QUOTA_WAIT_MS } from '../../../machines/quota/closeForHit.ts';
import { createOverlay } from '../overlays.ts';
import { type End, END } from '../script.ts';
import { World } from '../world.ts';
import { noRemote } from '../../support/standIns/noRunnerGates.ts';

export const POOL: CredentialPool = {
  kind: 'anthropic',
  origin: 'https://api.example',
  account: '0123456789ab',
};

const JOBS = 12;
/** Calls of the model in a session, and the time between two, ms. */
const CALLS = 12;
const CALL_MS = { from: 1_000, to: 4_000 };
/** From the start to the limit, and how long it lasts, ms. */
const LIMIT_MS = { from: 5_000, to: 60_000 };
const LASTS_MS = { from: 10 * 60_000, to: 5 * 3_600_000 };
/** Time for all to end after the reset, ms. */
const REST_MS = 30 * 60_000;
const KILLS = 4;

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export interface QuotaRun {
  limitAt: number;
  resetAt: number;
  /** When sessions started, of which job. */
  starts: { at: number; jobId: string }[];
  /** Calls that the endpoint refused. */
  refused: number;
  jobs: readonly string[];
  statuses: readonly string[];
  broken: readonly string[];
  kills: number;
}

interface QuotaOptions {
  kind?: QuotaKind;
  /** The endpoint says when its limit is over; default true. */
  namesReset?: boolean;
  /** No limit: from the start on sessions end with an error. */
  isBroken?: boolean;
  /** The runner knows which account its sessions use; default true. */
  isKnown?: boolean;
  /** Falsifies what is written, to prove that a truth notices. */
  sabotage?: (batch: Batch) => Batch;
}

/**
 * Twelve jobs of one account; its limit is met at a random instant, and the runner is killed in
 * between.
 */
export async function simulateQuota(
  seed: number,
  {
    kind = 'exhausted',
    namesReset = true,
    isBroken = false,
    isKnown = true,
    sabotage,
  }: QuotaOptions = {},
): Promise<QuotaRun> {
  const chance = new Chance(`pool ${seed}`);
  const run: QuotaRun = {
    limitAt: 0,
    resetAt: 0,
    starts: [],
    refused: 0,
    jobs: [],
    statuses: [],
    broken: [],
    kills: 0,
  };
  const world = new World({
    seed,
    pool: () => (isKnown ? POOL : null),
    ...(sabotage ? { sabotage } : {}),
    stage: {
      overlay: createOverlay(['testing', 'evaluation', 'reporting']),
      runner: { maxConcurrentJobs: JOBS, sessionMinutes: 60 },
      remote: () => ({
        forges: [],
        settings: {
          ...noRemote,
          random: () => chance.int(0, 999) / 1_000,
        },
      }),
    },
    async play(hands: Hands): Promise<End> {
      run.starts.push({ at: world.clock.now(), jobId: hands.jobId });
      for (let call = 0; call < CALLS; call++) {
        const now = world.clock.now();
        if (now >= run.limitAt && now < run.resetAt) {
          run.refused += 1;
          if (isBroken) return { stopReason: 'error', error: '401 invalid key' };
          const resetsAt = namesReset ? run.resetAt : null;
          return { stopReason: 'quota', error: 'a limit', resetsAt, quota: { kind, window: null } };
        }
        hands.answered();
        await hands.sleep(hands.chance.int(CALL_MS.from, CALL_MS.to));
      }
      return END;
    },
  });
  world.stormy = false;
  const start = world.clock.now();
  run.limitAt = start + (isBroken ? 0 : chance.int(LIMIT_MS.from, LIMIT_MS.to));
  run.resetAt = run.limitAt + chance.int(LASTS_MS.from, LASTS_MS.to);
  const until = async (at: number) => {
    world.clock.at(at, () => {});
    while (world.clock.now() < at && world.broken.length === 0) {
      world.clock.runNext();
      await settle();
    }
  };
  let lives = 0;
  const live = async () => {
    lives += 1;
    world.life = new Life(world, lives);
    void world.life.start();
    await until(world.clock.now() + 1_000);
  };
  await live();
  const created = Array.from({ length: JOBS }, (_, n) =>
    world.life?.runner.createJob(
      {
        type: 'job',
        workflowPath: 'workflows/job.md',
        params: { repoSlug: REPO, description: `job ${n}`, interactive: n % 2 === 0 },
      },
      { key: `job-${n}`, bodyHash: `job-${n}` },
    ),
  );
  let jobs: string[] = [];
  void Promise.all(created).then((all) => {
    jobs = all.map((job) => job?.jobId ?? '');
  });
  const latest = world.clock.now() + 60_000;
  while (jobs.length === 0 && world.broken.length === 0 && world.clock.now() < latest)
    await until(world.clock.now() + 100);
  const kills = Array.from({ length: KILLS }, () => chance.int(run.limitAt, run.resetAt + 5_000));
  kills.push(chance.int(world.clock.now(), Math.max(world.clock.now(), run.limitAt)));
  for (const at of kills.sort((a, b) => a - b)) {
    await until(at);
    world.life?.die();
    run.kills += 1;
    await live();
  }
  await until(run.resetAt + (isBroken ? LONGEST_QUOTA_WAIT_MS : 0) + REST_MS);
  const statuses = jobs.map((id) => world.life?.runner.job(id).status ?? 'gone');
  world.life?.die();
  world.store.close();
  return { ...run, jobs, statuses, broken: world.broken };
}
