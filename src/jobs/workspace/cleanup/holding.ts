import type { GcReply } from '../../../contract/schema/runner/gc.ts';

/** Something that is kept of a job that has ended, or of a repository. */
export interface HeldThing {
  /** Names it among those of its kind. */
  id: string;
  /** When its job ended, or it was used last, epoch ms. */
  since: number;
  /** 0 where sizes were not asked for. */
  bytes: number;
}

export type CleanupFindings = Pick<GcReply, 'removed' | 'kept' | 'left'>;

export interface Stock {
  things: readonly HeldThing[];
  /** Bytes of all of the kind, also of what may not go; 0 where sizes were not asked for. */
  total: number;
  /** What no rule speaks about, and a person has to look at. */
  left?: GcReply['left'];
  /** How many are in use. */
  inUse?: number;
}

/** One kind of what is kept, and how it goes. */
export interface Holding {
  /** Finishes what a killed run has begun; nothing is changed where `dryRun`. Default: nothing. */
  finish?(dryRun: boolean): Promise<Partial<CleanupFindings>>;
  /** What could go. `before`: without sizes, nothing younger is of interest, epoch ms. */
  look(asked: { sized: boolean; before: number }): Promise<Stock>;
  /** Whether it may go now: its job may be run again at any time. */
  mayGo(id: string): boolean;
  /** Removes it; where `dryRun`, only says what would go. */
  remove(thing: HeldThing, dryRun: boolean): Promise<Partial<CleanupFindings>>;
}

/** Before this one comes what is older; of the same age, what has the lower name. */
export const compareByAge = (
  a: Pick<HeldThing, 'since' | 'id'>,
  b: Pick<HeldThing, 'since' | 'id'>,
): number => a.since - b.since || (a.id < b.id ? -1 : Number(a.id > b.id));
