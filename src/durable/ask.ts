import { activeNodes } from './activeNodes.ts';
import type { ActorState, DurableEvent } from './chart.ts';
import { isTooLarge } from './draft.ts';
import { type HotActor, stateOf } from './hotActors.ts';
import type { Ports } from './port.ts';
import type { WhatIf, Why } from './questions.ts';
import type { Stepped } from './step.ts';
import { leafPaths } from '../domain/leafPaths.ts';
import { checkedStep } from './trial.ts';
import { waysOut } from './waysOut.ts';
import type { OutboxRow, TimerRow } from './writer.ts';

/** Why the actor is where it is, and what would move it. */
export function why(
  actor: HotActor,
  pending: readonly OutboxRow[],
  timers: readonly TimerRow[],
): Why {
  const { row, chart, snapshot } = actor;
  const nodes = activeNodes(snapshot).sort(
    (a, b) => a.path.length - b.path.length || a.order - b.order,
  );
  return {
    id: row.id,
    state: leafPaths(snapshot.value),
    since: row.since,
    waitsFor: nodes.flatMap(({ meta }): string[] =>
      typeof meta === 'object' && meta !== null ? (meta.waits ?? []) : [],
    ),
    waysOut: waysOut(chart, snapshot),
    pendingEffects: pending
      .filter((effect) => effect.actor === row.id)
      .map(({ effectId, type, attempt }) => ({ effectId, type, attempt })),
    timers: timers.map(({ name, due }) => ({ name, due })),
  };
}

/** Whether the event would be committed as a step. */
export function can(actor: HotActor, ports: Ports, event: DurableEvent, now: number): boolean {
  try {
    return trial(actor, ports, { ...event, at: now }) !== null;
  } catch {
    return false;
  }
}

/**
 * What the event would bring about. Throws KernelError `chart-error` where the chart would fail.
 */
export function whatIf(actor: HotActor, ports: Ports, event: DurableEvent, now: number): WhatIf {
  const { chart, state: before } = actor;
  const stepped = trial(actor, ports, { ...event, at: now });
  if (!stepped) return { ...shapeOf(before), accepted: false, changes: {}, effects: [] };
  // A chart's only clock is `at`: what differs between two instants is a time.
  const later = trial(actor, ports, { ...event, at: now + 1 }) ?? stepped;
  return {
    ...shapeOf(stateOf(before.id, chart, before.seq + 1, stepped.snapshot)),
    accepted: true,
    changes: changes(before.context, masked(stepped.snapshot.context, later.snapshot.context)),
    effects: stepped.effects.map(({ type, params }, index) => ({
      type,
      params: masked(params, later.effects[index]?.params),
    })),
  };
}

const shapeOf = ({
  value,
  tags,
  status,
}: ActorState): Pick<WhatIf, 'value' | 'tags' | 'status'> => ({
  value,
  tags: [...tags],
  status,
});

function trial(
  { row, chart, snapshot }: HotActor,
  ports: Ports,
  event: DurableEvent,
): Stepped | null {
  const stepped = checkedStep(chart, ports, row.id, snapshot, event);
  return stepped && !isTooLarge(stepped.snapshot) ? stepped : null;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

function masked(value: unknown, later: unknown): unknown {
  if (Array.isArray(value))
    return value.map((item, index) => masked(item, Array.isArray(later) ? later[index] : item));
  if (isRecord(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [
        key,
        masked(item, isRecord(later) ? later[key] : item),
      ]),
    );
  }
  return value === later ? value : '<time>';
}

function changes(before: unknown, after: unknown): Record<string, unknown> {
  if (!isRecord(after)) return {};
  const old = isRecord(before) ? before : {};
  return Object.fromEntries(
    Object.entries(after).filter(
      ([key, value]) => JSON.stringify(value) !== JSON.stringify(old[key]),
    ),
  );
}
