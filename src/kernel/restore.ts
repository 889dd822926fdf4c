import type { AnyMachineSnapshot } from 'xstate';
import type { DurableChart } from './chart.ts';
import { KernelError } from './contract.ts';
import { stringifyWithCache } from '../base/json/stringifyWithCache.ts';
import { stringifyStateValue } from '../base/json/stringifyStateValue.ts';
import { parseSnapshot } from './parseSnapshot.ts';
import { revive } from './stepMachine.ts';
import type { ActorRow } from './writer.ts';

/** A stored snapshot with what is needed to read it years later. */
export type StampedSnapshot = Pick<ActorRow, 'chart' | 'version' | 'snapshot'>;

/** XState's persisted snapshot, stamped; `context` is its context as JSON. */
export function persist(
  chart: DurableChart,
  snapshot: AnyMachineSnapshot,
): StampedSnapshot & { context: string } {
  const { id, version } = chart;
  const { status, output, error, value, historyValue } = snapshot;
  const context = stringifyWithCache(snapshot.context);
  // Apart from history, XState's own function only copies the context to look for actors.
  if (Object.keys(historyValue).length > 0) {
    const persisted = chart.machine.getPersistedSnapshot(snapshot);
    return { chart: id, version, snapshot: JSON.stringify(persisted), context };
  }
  const before =
    output === undefined && error === undefined
      ? `{"status":"${status}","value":${stringifyStateValue(value)},"historyValue":{}`
      : JSON.stringify({ status, output, error, value, historyValue }).slice(0, -1);
  return { chart: id, version, snapshot: `${before},"context":${context},"children":{}}`, context };
}

function isSameValue(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => isSameValue(Reflect.get(a, key), Reflect.get(b, key)));
}

/**
 * The only place that restores stored snapshots. Migrates older versions first. Throws KernelError
 * `snapshot-unreadable` (naming actor, chart and version) rather than continue from another state:
 * XState silently restores a state that became compound, without its entry effects.
 */
export function restore(
  chart: DurableChart,
  actor: string,
  stamp: StampedSnapshot,
): AnyMachineSnapshot {
  const refuse = (why: string, cause?: unknown) =>
    new KernelError(
      'snapshot-unreadable',
      `The snapshot of ${actor} (chart ${stamp.chart}, version ${stamp.version}) cannot be read by version ${chart.version}: ${why}`,
      cause,
    );
  if (stamp.version > chart.version) throw refuse('it was written by a newer release');
  let persisted: Record<string, unknown>;
  let snapshot: AnyMachineSnapshot;
  try {
    // A migration may change what it is given.
    const sharedNames = stamp.version === chart.version ? chart.shared : undefined;
    persisted = parseSnapshot(stamp.snapshot, sharedNames ?? []);
    for (let version = stamp.version; version < chart.version; version++) {
      const migrate = chart.migrations[version];
      if (!migrate) throw new Error(`there is no migration from version ${version}`);
      persisted = migrate(persisted);
    }
    snapshot = revive(chart.machine, persisted);
  } catch (error) {
    throw refuse(error instanceof Error ? error.message : String(error), error);
  }
  if (!isSameValue(snapshot.value, persisted.value)) {
    throw refuse(
      `the stored state ${JSON.stringify(persisted.value)} would become ${JSON.stringify(snapshot.value)}`,
    );
  }
  return snapshot;
}
