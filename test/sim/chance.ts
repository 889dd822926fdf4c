import { seededRandom } from '../support/charts/randomWalk.ts';

/**
 * FNV-1a: a number out of a text, so that every actor of the simulation can have a source of its
 * own.
 */
const hashText = (text: string): number => {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
};

/** Repeatable chance: the same name gives the same run of answers. */
export class Chance {
  readonly #name: string;
  readonly #random: () => number;

  constructor(name: string) {
    this.#name = name;
    this.#random = seededRandom(hashText(name));
  }

  /** True with this probability. */
  is(probability: number): boolean {
    return this.#random() < probability;
  }

  /** A whole number of [from, to]. */
  int(from: number, to: number): number {
    return from + Math.floor(this.#random() * (to - from + 1));
  }

  /** Mostly near `from`, seldom near `to`, as waits are. */
  wait(from: number, to: number): number {
    return from + Math.floor(this.#random() ** 3 * (to - from));
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.int(0, items.length - 1)];
    if (item === undefined) throw new Error('nothing to pick from');
    return item;
  }

  /** 16 characters of [0-9a-z]. */
  id(): string {
    return Array.from({ length: 16 }, () => this.int(0, 35).toString(36)).join('');
  }

  /** A source of its own that does not depend on how often this one was asked. */
  named(name: string): Chance {
    return new Chance(`${this.#name}/${name}`);
  }
}
