import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { RowChange } from '../../../src/kernel/rowChange.ts';
import { mergeRowChanges } from '../../../src/kernel/sqlite/batchWrites.ts';

const patch = (id: string, set: Record<string, unknown>, table = 'jobs'): RowChange => ({
  op: 'patch',
  table,
  key: { id },
  set,
});
const put = (id: string): RowChange => ({ op: 'put', table: 'jobs', row: { id } });
const drop = (id: string): RowChange => ({ op: 'drop', table: 'jobs', key: { id } });

test('patches of the same row become one, with what was set last', () => {
  const changes = [patch('a', { x: 1, y: 1 }), patch('a', { x: 2, z: 2 })];
  assert.equal(mergeRowChanges(changes), [patch('a', { x: 2, y: 1, z: 2 })]);
  assert.equal(changes[0], patch('a', { x: 1, y: 1 }), 'what was given is as it was');
});

test('patches of other rows and of other tables may be between them', () => {
  const between = [patch('b', { x: 1 }), patch('a', { x: 1 }, 'visits')];
  assert.equal(mergeRowChanges([patch('a', { x: 1 }), ...between, patch('a', { y: 2 })]), [
    patch('a', { x: 1, y: 2 }),
    ...between,
  ]);
});

test('patches with a put or a drop in the table between them stay apart', () => {
  for (const between of [put('a'), drop('b')]) {
    const changes = [patch('a', { x: 1 }), between, patch('a', { x: 2 })];
    assert.equal(mergeRowChanges(changes), changes);
  }
});

test('patches by different columns may be about the same row, and stay apart', () => {
  const byState: RowChange = { op: 'patch', table: 'jobs', key: { state: 1 }, set: { x: 5 } };
  const changes = [patch('a', { x: 1 }), byState, patch('a', { x: 2 })];
  assert.equal(mergeRowChanges(changes), changes);
});

test('a patch that changes its own key stays apart from those before and after it', () => {
  const changes = [patch('a', { x: 1 }), patch('a', { id: 'b' }), patch('a', { x: 2 })];
  assert.equal(mergeRowChanges(changes), changes);
});

test('values of another kind are other rows', () => {
  const one: RowChange = { op: 'patch', table: 'jobs', key: { id: 1 }, set: { x: 1 } };
  const changes = [one, patch('1', { x: 2 })];
  assert.equal(mergeRowChanges(changes), changes);
});

test.run();
