import type { DurableEvent, FrameDraft } from './chart.ts';
import { KernelError } from './contract.ts';
import type { HotActor, HotActors } from './hotActors.ts';
import { isRowsRefused } from './stripRefusedRows.ts';
import type { Report, Submit, Work } from './work.ts';
import type { DurableStore, OutboxRow } from './writer.ts';

export interface RecoveredEffects {
  /** Effects to run again. */
  run: OutboxRow[];
  /** Effects given up, of which their charts must still be notified. */
  givenUp: OutboxRow[];
}

export interface Restart {
  /** Runs begun in a row without progress, until an effect is given up. */
  limit: number;
  /** Epoch ms. */
  now: number;
  /** The last process ran on another machine. What ended it says nothing about the effects. */
  isTakeover: boolean;
}

export const describeRestartsUsedUp = (limit: number): string =>
  `the runner was restarted ${limit} times without progress`;

/** Effects of unreadable actors do not run: no one could take the outcome. */
function isActorReadable(actor: HotActor): boolean {
  try {
    return actor.snapshot !== undefined;
  } catch {
    return false;
  }
}

function buildRestartFrames(actor: HotActor, event: DurableEvent): FrameDraft[] {
  try {
    return actor.chart.frames(actor.state, actor.state, event);
  } catch {
    // An unreadable actor is reported where its effect needs it.
    return [];
  }
}

/**
 * Decides about every effect pending since the last process, and records the decisions before
 * anything runs, so that a runner killed by an effect finds that it began it. The same commit marks
 * the restart. Reads only what is pending.
 */
export async function recoverEffects(
  store: DurableStore,
  hot: HotActors,
  { limit, now, isTakeover }: Restart,
  submit: Submit,
  report: Report,
): Promise<RecoveredEffects> {
  const run: OutboxRow[] = [];
  const decisions: Work = { outbox: run, notes: [], frames: [] };
  const givenUp: OutboxRow[] = [];
  for (const row of store.listPendingEffects()) {
    const actor = hot.get(row.actor);
    if (!actor) {
      report(
        `effect ${row.effectId}`,
        new Error(`its actor ${row.actor} is gone; the effect is not run`),
      );
      continue;
    }
    if (!isActorReadable(actor)) {
      report(
        `effect ${row.effectId}`,
        new Error(`its actor ${row.actor} cannot be read; the effect is not run`),
      );
      continue;
    }
    if (row.broken !== undefined) {
      givenUp.push(row);
      continue;
    }
    const progressed = store.hasProgressed(row.actor, row.startedSeq);
    const isUncounted = row.cleanStop || isTakeover;
    const attempt = progressed ? 1 : isUncounted ? row.attempt : row.attempt + 1;
    if (attempt > limit) {
      givenUp.push(row);
      continue;
    }
    const why = progressed
      ? 'progress since its last start'
      : row.cleanStop
        ? 'the runner was stopped'
        : isTakeover
          ? 'another runner had it, which is lost'
          : 'the runner ended without a stop';
    run.push({ ...row, attempt, startedSeq: actor.row.seq, cleanStop: false });
    const event = {
      type: 'kernel.recovered',
      effect: row.type,
      effectId: row.effectId,
      attempt,
      why,
      at: now,
    };
    // Once per actor, however many effects rerun.
    if (!decisions.notes?.some(({ actor: notedActor }) => notedActor === row.actor))
      for (const frame of buildRestartFrames(actor, event))
        decisions.frames?.push({ actor: row.actor, frame });
    decisions.notes?.push({ actor: row.actor, event });
  }
  if (run.length === 0) return { run, givenUp };
  try {
    await submit(decisions);
    return { run, givenUp };
  } catch (error) {
    if (!isRefused(error)) throw error;
  }
  // If one damaged row cannot be written, the others still run.
  const outboxRows: OutboxRow[] = [];
  for (const row of run)
    try {
      await submit(pickEffectDecisions(decisions, row));
      outboxRows.push(row);
    } catch (error) {
      if (!isRefused(error)) throw error;
      givenUp.push({ ...row, broken: error.message });
    }
  return { run: outboxRows, givenUp };
}

const isRefused = (error: unknown): error is KernelError =>
  error instanceof KernelError && isRowsRefused(error);

const pickEffectDecisions = ({ notes = [], frames = [] }: Work, row: OutboxRow): Work => ({
  outbox: [row],
  notes: notes.filter(({ event }) => event.effectId === row.effectId),
  frames: frames.filter(({ actor }) =>
    notes.some((note) => note.actor === actor && note.event.effectId === row.effectId),
  ),
});
