import type { DurableEvent, FrameDraft } from './chart.ts';
import type { AnyTables, RowChange } from './rowChange.ts';

/** What a port is given about the effect that it carries out. */
export interface EffectRun {
  /**
   * `<actor>/<seq>/<index>`: the same on every attempt, so outside acts can be made once per id.
   */
  effectId: string;
  actorId: string;
  /** 1 for the first run; raised by a retry after a throw and by a restart without progress. */
  attempt: number;
  /** True when a run of an earlier process may have got part of the way. */
  recovered: boolean;
  /**
   * Aborted when the kernel stops; the port ends soon after and throws or returns. Whatever it says
   * then is not taken: the effect stays pending and runs again at the next start.
   */
  signal: AbortSignal;
}

/**
 * What an effect brings about, all of it committed together with the mark that the effect is done.
 */
export interface EffectOutcome<Tables extends object = AnyTables> {
  /** Sent to the effect's own actor, in this order. */
  events?: DurableEvent[];
  /**
   * Sent after `events`, in this order: to other actors, and to the effect's own where it is to be
   * sent once.
   */
  sends?: { to: string; event: DurableEvent; source?: string; externalId?: string }[];
  rows?: RowChange<Tables>[];
  frames?: FrameDraft[];
}

/**
 * Carries out one kind of effect. It may be run again after a crash at any instant: it is
 * idempotent by `effectId`, resumes, or looks up whether it was done before it repeats. A throw is
 * retried with back-off and, when that does not help, becomes the chart's `givenUp` event.
 */
export type Port<Params = never, Tables extends object = AnyTables> = (
  params: Params,
  run: EffectRun,
  // biome-ignore lint/suspicious/noConfusingVoidType: a port with nothing to say returns nothing
) => Promise<EffectOutcome<Tables> | void>;

/** All ports of all charts by effect type. */
export type Ports = Readonly<Record<string, Port>>;
