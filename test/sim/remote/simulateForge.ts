import { WHILE_UP } from '../invariants.ts';
import { Life } from '../life.ts';
import { ForgeStorm, type StormOptions } from './storm.ts';
import { heardBy, TRUTHS } from './truths.ts';

/** Simulated time between two events, ms. */
const PACE_MS = { from: 0, to: 2_400 };
/** Simulated time between two ends of the runner from outside, ms. */
const LIFE_MS = { from: 20_000, to: 1_200_000 };
/** Simulated time after the storm in which everything must have come to an end, ms. */
const CALM_MS = 6 * 3_600_000;

/**
 * What is true of the whole runner, but for one: a write that waits for a limit outlives the
 * session that has asked for it.
 */
const HOLDING = WHILE_UP.filter(
  ({ sentence }) => sentence !== 'a job that rests has no effect in flight',
);

export interface SimulatedForge {
  seed: number;
  /** What was found to be false; empty = nothing. */
  broken: readonly string[];
  trail: readonly string[];
  counts: Record<string, number>;
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** The runner's process, restarted whenever it ends. */
function keep(storm: ForgeStorm): void {
  const { world } = storm;
  const later = (ms: number, run: () => void) => void world.clock.at(world.clock.now() + ms, run);
  let lives = 0;
  const start = (clean: boolean) => {
    world.starts.push({ at: world.clock.now(), clean });
    const life = new Life(world, ++lives);
    world.life = life;
    world.note(`life ${lives} starts`);
    void life.start();
    life.end.catch(() => {
      if (life.stopped) world.counts.stops += 1;
      else world.counts.crashes += 1;
      later(world.chance.wait(100, 90_000), () => start(life.stopped));
    });
  };
  const threaten = () =>
    later(world.chance.int(LIFE_MS.from, LIFE_MS.to), () => {
      if (!world.stormy) return;
      world.note('the runner is ended from outside');
      if (world.chance.is(0.3)) void world.life?.stop();
      else world.life?.die();
      threaten();
    });
  const look = () =>
    later(60_000, () => {
      if (world.life?.ready)
        for (const { sentence, broken } of HOLDING)
          for (const how of broken(world)) world.breaks(`${sentence}: ${how}`);
      look();
    });
  start(true);
  threaten();
  look();
}

/** Asks for the jobs until they exist. */
function createJobs(storm: ForgeStorm): void {
  const { world, options } = storm;
  const create = async (n: number): Promise<void> => {
    const again = () => void world.clock.at(world.clock.now() + 2_000, () => void create(n));
    const { life } = world;
    if (!life?.ready) return again();
    const params = {
      repoSlug: storm.slugOf(n),
      gitProvider: storm.forge.id,
      description: `job ${n}`,
    };
    const body = { type: 'job' as const, workflowPath: 'workflows/job.md', params };
    const key = `create ${n}`;
    const isMade = await Promise.race([
      life.runner.createJob(body, { key, bodyHash: key }),
      life.end,
    ]).then(
      () => true,
      (error: unknown) => {
        world.note(`job ${n}: ${error}`);
        return false;
      },
    );
    if (!isMade) again();
  };
  for (let n = 1; n <= options.jobs; n += 1) void create(n);
}

/** People continue jobs that rest for another reason than their pull requests. */
function helpOn(storm: ForgeStorm): void {
  const { world } = storm;
  world.clock.at(world.clock.now() + 30_000, () => {
    const { life } = world;
    for (const [id, activity] of world.ledger.activities) {
      if (!life?.ready || activity === 'live') continue;
      const job = life.runner.job(id);
      const rests =
        job.parked?.kind === 'developer' ||
        job.parked?.kind === 'paused' ||
        job.status === 'failed';
      // Everything is tried again at the next look.
      if (rests) void life.runner.resume(id, { eventKey: 'go' }, { by: 'open' }).catch(() => {});
    }
    helpOn(storm);
  });
}

/**
 * Lets things happen until there were enough of them, and tells of some by webhook: twice, late, in
 * any order.
 */
function agitate(storm: ForgeStorm): void {
  const { world, forge, happenings, options } = storm;
  const chance = world.chance.named('happenings');
  const later = (ms: number, run: () => void) => void world.clock.at(world.clock.now() + ms, run);
  const next = () => {
    if (happenings.length >= options.events) return;
    later(chance.int(PACE_MS.from, PACE_MS.to), next);
    const open = storm.open();
    if (open.length === 0) return;
    const pr = chance.pick(open);
    const one = forge.happen({ chance, later }, pr);
    if (one) happenings.push(one);
    if (!chance.is(0.2)) return;
    const id = `delivery ${forge.serial()}`;
    for (let times = chance.int(1, 3); times > 0; times -= 1) {
      later(
        chance.wait(100, 90_000),
        () => void storm.hook(pr, chance.is(0.5) ? id : `${id} ${times}`),
      );
    }
  };
  next();
}

const hasHeardAll = (storm: ForgeStorm): boolean => {
  const heardIds = new Set(
    [...new Set(storm.jobOf.values())].flatMap((id) =>
      heardBy(storm, id).map((one) => one.externalId),
    ),
  );
  const isLive = (head: string) =>
    storm.world.ledger.activities.get(storm.jobOf.get(head) ?? '') !== 'ended';
  return storm.happenings.every(
    ({ externalId, head }) => heardIds.has(externalId) || !isLive(head),
  );
};

/** One storm at a forge in a world of its own. The same seed gives the same storm. */
export async function simulateForge(options: StormOptions): Promise<SimulatedForge> {
  const storm = new ForgeStorm(options);
  const { world, forge } = storm;
  const { clock } = world;
  const startedAt = clock.now();
  keep(storm);
  createJobs(storm);
  helpOn(storm);
  agitate(storm);
  const until = async (at: number, over: () => boolean) => {
    let lookedAt = clock.now();
    while (world.broken.length === 0 && clock.now() < at) {
      clock.runNext();
      await settle();
      if (clock.now() - lookedAt < 20_000) continue;
      lookedAt = clock.now();
      if (over()) return;
    }
  };
  const gaveUp = startedAt + 20 * options.events * PACE_MS.to;
  await until(
    gaveUp,
    () =>
      storm.happenings.length >= options.events ||
      (world.ledger.activities.size > 0 && allEnded(storm)),
  );
  world.stormy = false;
  const stormMs = clock.now() - startedAt;
  world.note(`the storm is over: ${storm.happenings.length} events`);
  await until(clock.now() + CALM_MS, () => hasHeardAll(storm));
  // Writes that went out and whose answers are outstanding come to an end before the pull requests
  // do.
  await until(clock.now() + 600_000, () => false);
  for (const pr of storm.open()) forge.merge(pr);
  await until(clock.now() + CALM_MS, () => allEnded(storm));
  if (world.broken.length === 0)
    for (const { sentence, broken } of TRUTHS)
      for (const how of broken(storm)) world.breaks(`${sentence}: ${how}`);
  const rows = world.store.rows;
  const statuses: Record<string, number> = {};
  for (const id of new Set(storm.jobOf.values())) {
    const status = `jobs ${world.life?.runner.job(id).status}`;
    statuses[status] = (statuses[status] ?? 0) + 1;
  }
  const { crashes, stops, agents } = world.counts;
  const counts = {
    events: storm.happenings.length,
    minutes: Math.round(stormMs / 60_000),
    crashes,
    stops,
    agents,
    requests: forge.seen.length,
    counted: forge.counted(),
    writes: rows.count('forge_writes'),
    undecided: rows.count('forge_writes', { state: 'undecided' }),
    ...statuses,
  };
  const { broken, trail, seed } = world;
  storm.end();
  return { seed, broken, trail, counts };
}

const allEnded = ({ world, options }: ForgeStorm): boolean => {
  const all = [...world.ledger.activities.values()];
  return all.length >= options.jobs && all.every((one) => one === 'ended');
};
