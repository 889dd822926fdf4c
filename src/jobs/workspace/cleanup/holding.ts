import type { GcReply } from '../../../contract/schema/runner/gc.ts';

/** Something that is kept of an ended job, or of a repository. */
export interface HeldThing {
  /** Identifies it within its kind. */
  id: string;
  /** When its job ended, or it was last used, epoch ms. */
  since: number;
  /** 0 if sizes were not requested. */
  bytes: number;
}

export type CleanupFindings = Pick<GcReply, 'removed' | 'kept' | 'left'>;

export interface Stock {
  things: readonly HeldThing[];
  /** Bytes of everything of the kind, removable or not; 0 if sizes were not requested. */
  total: number;
  /** Things that no rule covers and a person has to look at. */
  left?: GcReply['left'];
  inUse?: number;
}

/** One kind of kept things, and how they are removed. */
export interface Holding {
  /** Finishes what a killed run has begun; changes nothing if `dryRun`. Default: nothing. */
  finish?(dryRun: boolean): Promise<Partial<CleanupFindings>>;
  /** Removable things. `before`: without sizes, nothing younger is needed, epoch ms. */
  look(options: { sized: boolean; before: number }): Promise<Stock>;
  /** Whether it may be removed now: its job may be rerun at any time. */
  mayGo(id: string): boolean;
  /** Removes it; if `dryRun`, only reports what would be removed. */
  remove(thing: HeldThing, dryRun: boolean): Promise<Partial<CleanupFindings>>;
}

/** Orders by age, oldest first, then by name. */
export const compareByAge = (
  a: Pick<HeldThing, 'since' | 'id'>,
  b: Pick<HeldThing, 'since' | 'id'>,
): number => a.since - b.since || (a.id < b.id ? -1 : Number(a.id > b.id));
