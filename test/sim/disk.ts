import type { Chance } from './chance.ts';
import type { World } from './world.ts';

const MB = 1024 * 1024;

/** The disk of a runner: others fill it for a while, now and then to its last megabytes. */
export class SimulatedDisk {
  readonly #world: World;
  readonly #chance: Chance;
  #lowUntil = 0;
  #lowMb = 0;
  /** When a reading last found too little, or failed, epoch ms. */
  lastLow = 0;
  /** How often it became low. */
  times = 0;

  constructor(world: World, chance: Chance) {
    this.#world = world;
    this.#chance = chance;
  }

  /** Whether this reading fails. */
  isUnreadable(): boolean {
    const fails = this.#world.stormy && this.#chance.is(0.02);
    // The runner continues with what it knew.
    if (fails) this.lastLow = this.#world.clock.now();
    return fails;
  }

  /** Whether so little is free that sessions end in the middle of a call. */
  get isUrgent(): boolean {
    return this.#world.clock.now() < this.#lowUntil && this.#lowMb < 100;
  }

  /** Bytes that are free now. */
  free(): number {
    const { clock } = this.#world;
    const chance = this.#chance;
    if (clock.now() >= this.#lowUntil && this.#world.storm(0.04)) {
      this.#lowUntil = clock.now() + chance.int(3_000, 40_000);
      this.#lowMb = chance.pick([900, 400, 50]);
      this.times += 1;
      this.#world.note(`the disk has ${this.#lowMb} MB free`);
    }
    if (clock.now() >= this.#lowUntil) return 8_000 * MB;
    this.lastLow = clock.now();
    return this.#lowMb * MB;
  }
}
