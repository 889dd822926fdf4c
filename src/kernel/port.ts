import type { DurableEvent, FrameDraft } from './chart.ts';
import type { AnyTables, RowChange } from './rowChange.ts';

export interface EffectRun {
  /** `<actor>/<seq>/<index>`: the same on every attempt, so outside acts can be idempotent. */
  effectId: string;
  actorId: string;
  /** 1 for the first run; raised by a retry and by a restart without progress. */
  attempt: number;
  /** A run of an earlier process may have got part of the way. */
  recovered: boolean;
  /**
   * Aborted when the kernel stops; the port must then end soon. Its answer is ignored: the effect
   * runs again at the next start.
   */
  signal: AbortSignal;
}

/** An effect's outcome, committed together with the mark that it is done. */
export interface EffectOutcome<Tables extends object = AnyTables> {
  /** Sent to the effect's own actor, in this order. */
  events?: DurableEvent[];
  /** Sent after `events`, in order: to other actors, or to its own what must be sent once. */
  sends?: { to: string; event: DurableEvent; source?: string; externalId?: string }[];
  rows?: RowChange<Tables>[];
  frames?: FrameDraft[];
}

/**
 * Carries out one kind of effect. A crash may make it run again, so it must be idempotent by
 * `effectId`: it resumes or checks what was done. A throw is retried with back-off, then becomes
 * the chart's `givenUp` event.
 */
export type Port<Params = never, Tables extends object = AnyTables> = (
  params: Params,
  run: EffectRun,
  // biome-ignore lint/suspicious/noConfusingVoidType: a port with nothing to say returns nothing
) => Promise<EffectOutcome<Tables> | void>;

export type Ports = Readonly<Record<string, Port>>;
