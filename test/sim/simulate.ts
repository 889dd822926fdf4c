import type { FrameRow } from '../../src/kernel/writer.ts';
import { atTheEnd, whileUp } from './invariants.ts';
import { Life } from './life.ts';
import { People } from './people.ts';
import { World, type WorldOptions } from './world.ts';

/**
 * Simulated time of the storm, ms, and the most that the jobs may take to come to an end after it.
 */
const STORM_MS = { from: 60_000, to: 400_000 };
const TALK_MS = { from: 8_000, to: 40_000 };
const CALM_MS = 4 * 3_600_000;

export interface Simulated {
  seed: number;
  /** What was found to be false; empty = nothing. */
  broken: readonly string[];
  /** The last things that happened, for a broken one. */
  trail: readonly string[];
  counts: World['counts'];
  jobs: Record<string, number>;
  /** How often a message was given to a session in which way. */
  ways: Record<string, number>;
  /** How often the disk became low. */
  low: number;
}

/**
 * Lets everything run that needs no time. Nothing in the simulation waits for the disk or the
 * network, so one turn is enough.
 */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * The runner's process under a supervisor: it crashes, is stopped, and is started again.
 */
class SimulatedSupervisor {
  readonly #world: World;
  #lives = 0;
  #looks = 0;

  constructor(world: World) {
    this.#world = world;
  }

  begin(): void {
    this.#start(true);
    this.#threaten();
    this.#look();
  }

  #later(ms: number, run: () => void): void {
    const { clock } = this.#world;
    clock.at(clock.now() + ms, run);
  }

  #start(clean: boolean): void {
    const world = this.#world;
    world.starts.push({ at: world.clock.now(), clean });
    this.#lives += 1;
    const life = new Life(world, this.#lives);
    world.life = life;
    world.note(`life ${life.number} starts`);
    void life.start();
    life.end.catch(() => {
      const stopped = life.stopped;
      if (stopped) world.counts.stops += 1;
      else world.counts.crashes += 1;
      this.#later(world.chance.wait(100, 20_000), () => this.#start(stopped));
    });
  }

  /** Ends the runner now and then, from outside. */
  #threaten(): void {
    const world = this.#world;
    this.#later(world.chance.wait(500, world.talkative ? 30_000 : 120_000), () => {
      if (!world.stormy) return;
      const { life } = world;
      if (life && world.chance.is(0.3)) {
        world.note(`life ${life.number} is stopped`);
        void life.stop();
      } else if (life) {
        world.note(`life ${life.number} is killed`);
        life.die();
      }
      // Some storms kill again and again before anything can continue.
      if (world.chance.is(0.05)) this.#barrage(6);
      this.#threaten();
    });
  }

  #barrage(times: number): void {
    const world = this.#world;
    if (times === 0 || !world.stormy) return;
    this.#later(world.chance.int(500, 22_000), () => {
      world.life?.die();
      this.#barrage(times - 1);
    });
  }

  /** Follows every job and looks at what must be true while the runner is up. */
  #look(): void {
    const world = this.#world;
    this.#later(2_500, () => {
      if (world.life?.ready) {
        this.#looks += 1;
        whileUp(world, this.#looks % 20 === 0);
        follow(world, world.life);
      }
      this.#look();
    });
  }
}

/**
 * Every job is followed by a reader who comes back with the number of the last frame received.
 */
function follow(world: World, life: Life): void {
  for (const id of world.ledger.seqs.keys()) {
    if (life.followed.has(id)) continue;
    life.followed.add(id);
    const { followed } = world.ledger;
    life.runner.subscribe(id, followed.get(id) ?? 0, {
      frames: (rows: readonly FrameRow[]) => {
        if (!life.alive) return;
        for (const { n } of rows) {
          const last = followed.get(id) ?? 0;
          if (n !== last + 1)
            world.breaks(
              `who follows a job gets every frame once, in order; ${id}: ${n} after ${last}`,
            );
          followed.set(id, n);
        }
      },
      // An ended job may be run again; who is still there looks again.
      bye: () => life.followed.delete(id),
    });
  }
}

/** Everything has an end: jobs, and what people have asked for. */
const isOver = ({ ledger }: World): boolean =>
  ledger.requested.every(({ outcome }) => outcome !== 'open') &&
  [...ledger.activities.values()].every((one) => one === 'ended');

/** One run of the whole runner in a world of its own. The same seed gives the same run. */
export async function simulate(options: WorldOptions): Promise<Simulated> {
  const world = new World(options);
  const storm = world.talkative ? TALK_MS : STORM_MS;
  const stormEnds = world.clock.now() + world.chance.int(storm.from, storm.to);
  new SimulatedSupervisor(world).begin();
  new People(world).begin();
  const until = async (at: number, over: () => boolean) => {
    while (world.broken.length === 0 && world.clock.now() < at && !over()) {
      world.clock.runNext();
      await settle();
    }
  };
  await until(stormEnds, () => false);
  world.stormy = false;
  world.note('the storm is over');
  // What was merged by hand is found when the runner starts.
  void world.life?.stop();
  await until(stormEnds + CALM_MS, () => world.life?.ready === true && isOver(world));
  const over = world.clock.now();
  await until(over + 40_000, () => false);
  if (world.broken.length === 0) atTheEnd(world);
  const jobs: Record<string, number> = {};
  for (const { index } of world.store.actors.list({ chart: 'job', limit: 1000, offset: 0 }).rows) {
    jobs[index.label] = (jobs[index.label] ?? 0) + 1;
  }
  const ways: Record<string, number> = {};
  for (const { how } of world.store.rows.all('message_offers')) ways[how] = (ways[how] ?? 0) + 1;
  world.counts.calls = world.ledger.calls.length;
  world.life?.die();
  world.store.close();
  const { seed, broken, trail, counts } = world;
  return { seed, broken, trail, counts, jobs, ways, low: world.disk?.times ?? 0 };
}
