import type { ActorIndex } from '../../kernel/chart.ts';
import { toActorState } from '../../kernel/hotActors.ts';
import { restore, type StampedSnapshot } from '../../kernel/restore.ts';
import { toErrorMessage } from '../../base/errors/errors.ts';
import { CHARTS } from './charts.ts';

/** The columns of an actor's stored snapshot for lists, or what is wrong with the snapshot. */
export function inspectActor(
  id: string,
  stamp: StampedSnapshot,
): { index: ActorIndex } | { problem: string } {
  const chart = CHARTS.find((one) => one.id === stamp.chart);
  if (!chart) return { problem: `is of the chart ${stamp.chart}, which does not exist` };
  try {
    return { index: chart.index(toActorState(id, chart, 0, restore(chart, id, stamp))) };
  } catch (error) {
    return { problem: `cannot be restored: ${toErrorMessage(error)}` };
  }
}
