import { stringifyStatePath } from '../../base/json/stringifyStateValue.ts';
import type { Batch } from '../writer.ts';
import { ActorWrites } from './actorWrites.ts';
import type { Blobs } from './blobs.ts';
import type { FeatureTables } from './featureTables.ts';
import { RowChanges } from './rowChanges.ts';
import type { Statements } from './thread/statements.ts';
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

const ADD_JOURNAL =
  'INSERT INTO journal (actor, seq, at, event, path, effects, note) VALUES (?, ?, ?, ?, ?, ?, ?)';
const PUT_EFFECT = `INSERT INTO outbox (effect_id, actor, seq, type, params, attempt, started_seq, clean_stop) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (effect_id) DO UPDATE SET attempt = excluded.attempt, started_seq = excluded.started_seq, clean_stop = excluded.clean_stop`;
const PUT_TIMER = `INSERT INTO timers (actor, name, due, event) VALUES (?, ?, ?, ?)
  ON CONFLICT (actor, name) DO UPDATE SET due = excluded.due, event = excluded.event`;

export class BatchWrites {
  readonly #actors = new ActorWrites();
  readonly #changes: RowChanges;
  readonly #blobs: Blobs;

  constructor(tables: FeatureTables, blobs: Blobs) {
    this.#changes = new RowChanges(tables);
    this.#blobs = blobs;
  }

  /** Throws Error for unknown tables and columns. */
  write(to: Statements, batch: Batch): void {
    for (const actor of batch.actors) this.#actors.write(to, actor, batch.generation);
    for (const row of batch.journal) {
      const { actor, seq, at, event, path, effects, note } = row;
      to.run(
        ADD_JOURNAL,
        actor,
        seq,
        at,
        this.#blobs.put(to, JSON.stringify(event)),
        stringifyStatePath(path),
        effects.length === 0 ? '[]' : JSON.stringify(effects),
        note ? 1 : 0,
      );
    }
    for (const row of batch.outboxPut) {
      const { effectId, actor, seq, type, params, attempt, startedSeq, cleanStop } = row;
      to.run(
        PUT_EFFECT,
        effectId,
        actor,
        seq,
        type,
        JSON.stringify(params),
        attempt,
        startedSeq,
        cleanStop ? 1 : 0,
      );
    }
    for (const id of batch.outboxDone) to.run('DELETE FROM outbox WHERE effect_id = ?', id);
    for (const { actor, name, due, event } of batch.timersSet)
      to.run(PUT_TIMER, actor, name, due, JSON.stringify(event));
    for (const { actor, name } of batch.timersDrop)
      to.run('DELETE FROM timers WHERE actor = ? AND name = ?', actor, name);
    for (const { actor, source, externalId, at, seq } of batch.inbox) {
      to.run(
        'INSERT INTO inbox (actor, source, external_id, at, seq) VALUES (?, ?, ?, ?, ?)',
        actor,
        source,
        externalId,
        at,
        seq,
      );
    }
    for (const { id, to: receiver, event } of batch.mailPut)
      to.run(
        'INSERT INTO mail (id, receiver, event) VALUES (?, ?, ?)',
        id,
        receiver,
        JSON.stringify(event),
      );
    for (const id of batch.mailDone) to.run('DELETE FROM mail WHERE id = ?', id);
    for (const { actor, n, at, kind, data } of batch.frames) {
      to.run(
        'INSERT INTO frames (actor, n, at, kind, data) VALUES (?, ?, ?, ?, ?)',
        actor,
        n,
        at,
        kind,
        JSON.stringify(data),
      );
    }
    for (const change of mergeRowChanges(batch.rows)) this.#changes.carryOut(to, change);
  }
}
