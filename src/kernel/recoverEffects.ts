import type { DurableEvent, FrameDraft } from './chart.ts';
import { KernelError } from './contract.ts';
import type { HotActor, HotActors } from './hotActors.ts';
import { isRowsRefused } from './stripRefusedRows.ts';
import type { Report, Submit, Work } from './work.ts';
import type { DurableStore, OutboxRow } from './writer.ts';

export interface RecoveredEffects {
  /** Effects to run again. */
  run: OutboxRow[];
  /** Effects that are not run again; their charts have not been notified yet. */
  givenUp: OutboxRow[];
}

/** The error that a chart is given for an effect that restarts without progress have used up. */
export const describeRestartsUsedUp = (limit: number): string =>
  `the runner was restarted ${limit} times without progress`;

/** Nothing is done for an actor that cannot be read: no one would be there to take the outcome. */
function isActorReadable(actor: HotActor): boolean {
  try {
    return actor.snapshot !== undefined;
  } catch {
    return false;
  }
}

/** What the readers of the actor's stream see of the restart. */
function buildRestartFrames(actor: HotActor, event: DurableEvent): FrameDraft[] {
  try {
    return actor.chart.frames(actor.state, actor.state, event);
  } catch {
    // An actor that cannot be read is reported where its effect needs it.
    return [];
  }
}

/**
 * Decides about every effect that was pending when the last process ended, and writes the decisions
 * down before anything runs: a runner that dies of an effect must find at its next start that it
 * began it. The mark of the restart is written in the same commit. Only what is pending is read,
 * never all actors. `now` is epoch ms.
 */
export async function recoverEffects(
  store: DurableStore,
  hot: HotActors,
  limit: number,
  now: number,
  submit: Submit,
  report: Report,
): Promise<RecoveredEffects> {
  const run: OutboxRow[] = [];
  const decisions: Work = { outbox: run, notes: [], frames: [] };
  const givenUp: OutboxRow[] = [];
  for (const row of store.pendingEffects()) {
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
    const progressed = store.progressed(row.actor, row.startedSeq);
    const attempt = progressed ? 1 : row.cleanStop ? row.attempt : row.attempt + 1;
    if (attempt > limit) {
      givenUp.push(row);
      continue;
    }
    const why = progressed
      ? 'progress since its last start'
      : row.cleanStop
        ? 'the runner was stopped'
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
    // Once for each actor, however many of its effects run again.
    if (!decisions.notes?.some(({ actor: noted }) => noted === row.actor))
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
  // One row of them is damaged so that it cannot be written again: the others run all the same.
  const written: OutboxRow[] = [];
  for (const row of run)
    try {
      await submit(pickEffectDecisions(decisions, row));
      written.push(row);
    } catch (error) {
      if (!isRefused(error)) throw error;
      givenUp.push({ ...row, broken: error.message });
    }
  return { run: written, givenUp };
}

const isRefused = (error: unknown): error is KernelError =>
  error instanceof KernelError && isRowsRefused(error);

/** Those of one effect alone. */
const pickEffectDecisions = ({ notes = [], frames = [] }: Work, row: OutboxRow): Work => ({
  outbox: [row],
  notes: notes.filter(({ event }) => event.effectId === row.effectId),
  frames: frames.filter(({ actor }) =>
    notes.some((note) => note.actor === actor && note.event.effectId === row.effectId),
  ),
});
