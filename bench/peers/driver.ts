import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Memory } from '../memory.ts';

export interface DriverArgs {
  packages: string;
  /** Names of ports: where its server listens and, if it listens too, its worker. */
  ports: Readonly<Record<string, number>>;
  /** Many are parked for long: a peer that suspends handlers after a delay uses a short delay. */
  parksLong: boolean;
}

/** The process that does a peer's work. */
export interface WorkerCalls extends Record<string, (...args: never[]) => unknown> {
  /**
   * Runs so many workflows of six steps, 100 at once, and answers the ms from the first submission
   * until the last has ended. `stated`: each carries {@link STATE}, where the peer can. Throws where
   * one was not done whole.
   */
  steps(workflows: number, stated: boolean): Promise<number>;
  /**
   * Parks those with the numbers `from` up to but not `to`; each then waits for an event. Answers to
   * what the events are to be sent, in the same order.
   */
  park(from: number, to: number): Promise<string[]>;
  /** The next `count` continuations, and when each began. */
  begun(count: number): Promise<[id: string, at: number][]>;
  memory(): Promise<Memory>;
}

/** The process that sends a peer's events from outside. */
export interface SenderCalls extends Record<string, (...args: never[]) => unknown> {
  connect(): Promise<void>;
  /**
   * Sends an event to each address that `park` returned, with so many senders. Returns when the
   * first was sent.
   */
  wake(addresses: readonly string[], senders: number): Promise<number>;
}

export const driverArgs = (): DriverArgs => JSON.parse(process.argv[2] ?? '{}');

/** A package that is installed outside of the tree. `Shape`: as much of it as is used. */
export const packageFrom = <Shape>({ packages }: DriverArgs, name: string): Shape =>
  createRequire(join(packages, 'package.json'))(name);

export const parkedName = (n: number): string => `parked-${n}`;

export async function each<Item>(
  items: readonly Item[],
  atOnce: number,
  act: (item: Item) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  const one = async () => {
    while (next < items.length) await act(items[next++] as Item);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, one));
}
