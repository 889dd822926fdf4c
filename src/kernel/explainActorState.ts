import { listSnapshotNodes, listWaysOut } from './listWaysOut.ts';
import type { ActorState, DurableEvent } from './chart.ts';
import { isTooLarge } from './draft.ts';
import { type HotActor, toActorState } from './hotActors.ts';
import type { Ports } from './port.ts';
import type { WhatIf, Why } from './questions.ts';
import type { StepResult } from './stepMachine.ts';
import { listLeafPaths } from '../base/json/listLeafPaths.ts';
import { stepChecked } from './stepChecked.ts';
import type { OutboxRow, TimerRow } from './writer.ts';

/** Why the actor is in its state, and what would move it. */
export function explainActorState(
  actor: HotActor,
  pending: readonly OutboxRow[],
  timers: readonly TimerRow[],
): Why {
  const { row, chart, snapshot } = actor;
  const nodes = listSnapshotNodes(snapshot).sort(
    (a, b) => a.path.length - b.path.length || a.order - b.order,
  );
  return {
    id: row.id,
    state: listLeafPaths(snapshot.value),
    since: row.since,
    waitsFor: nodes.flatMap(({ meta }): string[] =>
      typeof meta === 'object' && meta !== null ? (meta.waits ?? []) : [],
    ),
    waysOut: listWaysOut(chart, snapshot),
    pendingEffects: pending
      .filter((effect) => effect.actor === row.id)
      .map(({ effectId, type, attempt }) => ({ effectId, type, attempt })),
    timers: timers.map(({ name, due }) => ({ name, due })),
  };
}

export function canTakeEvent(
  actor: HotActor,
  ports: Ports,
  event: DurableEvent,
  now: number,
): boolean {
  try {
    return tryEvent(actor, ports, { ...event, at: now }) !== null;
  } catch {
    return false;
  }
}

/** What the event would bring about. Throws KernelError `chart-error` if the chart would fail. */
export function simulateEvent(
  actor: HotActor,
  ports: Ports,
  event: DurableEvent,
  now: number,
): WhatIf {
  const { chart, state: before } = actor;
  const stepped = tryEvent(actor, ports, { ...event, at: now });
  if (!stepped) return { ...toWhatIfShape(before), accepted: false, changes: {}, effects: [] };
  // A chart's only clock is `at`, so whatever differs between two instants is a time.
  const later = tryEvent(actor, ports, { ...event, at: now + 1 }) ?? stepped;
  return {
    ...toWhatIfShape(toActorState(before.id, chart, before.seq + 1, stepped.snapshot)),
    accepted: true,
    changes: diffContext(
      before.context,
      maskTimes(stepped.snapshot.context, later.snapshot.context),
    ),
    effects: stepped.effects.map(({ type, params }, index) => ({
      type,
      params: maskTimes(params, later.effects[index]?.params),
    })),
  };
}

const toWhatIfShape = ({
  value,
  tags,
  status,
}: ActorState): Pick<WhatIf, 'value' | 'tags' | 'status'> => ({
  value,
  tags: [...tags],
  status,
});

function tryEvent(
  { row, chart, snapshot }: HotActor,
  ports: Ports,
  event: DurableEvent,
): StepResult | null {
  const stepped = stepChecked(chart, ports, row.id, snapshot, event);
  return stepped && !isTooLarge(stepped.snapshot) ? stepped : null;
}

const isContextRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

function maskTimes(value: unknown, later: unknown): unknown {
  if (Array.isArray(value))
    return value.map((item, index) => maskTimes(item, Array.isArray(later) ? later[index] : item));
  if (isContextRecord(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [
        key,
        maskTimes(item, isContextRecord(later) ? later[key] : item),
      ]),
    );
  }
  return value === later ? value : '<time>';
}

function diffContext(before: unknown, after: unknown): Record<string, unknown> {
  if (!isContextRecord(after)) return {};
  const old = isContextRecord(before) ? before : {};
  return Object.fromEntries(
    Object.entries(after).filter(
      ([key, value]) => JSON.stringify(value) !== JSON.stringify(old[key]),
    ),
  );
}
