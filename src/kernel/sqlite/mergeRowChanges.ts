import type { RowChange } from '../rowChange.ts';

type Patch = Extract<RowChange, { op: 'patch' }>;

interface Pending {
  columns: string;
  patches: Map<string, Patch>;
}

/**
 * Merges patches of the same rows, of which a group has one per step. Patches of other rows may lie
 * between (a different key means different rows); other changes of the table may not.
 */
export function mergeRowChanges(changes: readonly RowChange[]): readonly RowChange[] {
  if (changes.length < 2) return changes;
  const merged: RowChange[] = [];
  const tables = new Map<string, Pending>();
  for (const change of changes) {
    if (change.op !== 'patch') {
      tables.delete(change.table);
      merged.push(change);
      continue;
    }
    const { table, key, set } = change;
    const columns = Object.keys(key).join();
    // Afterwards its rows have another key.
    if (Object.keys(key).some((name) => Object.hasOwn(set, name))) {
      tables.delete(table);
      merged.push(change);
      continue;
    }
    let pending = tables.get(table);
    if (pending?.columns !== columns) {
      pending = { columns, patches: new Map() };
      tables.set(table, pending);
    }
    const values = JSON.stringify(Object.values(key));
    const before = pending.patches.get(values);
    if (before) {
      Object.assign(before.set, set);
      continue;
    }
    const own = { ...change, set: { ...set } };
    merged.push(own);
    pending.patches.set(values, own);
  }
  return merged;
}
