import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { JobContext } from '../../machines/index.ts';
import type { ActorState } from '../../src/durable/chart.ts';
import type { CommitNotice } from '../../src/durable/contract.ts';
import type { ActorRow } from '../../src/durable/writer.ts';
import { JobWatch } from '../../src/runner/jobWatch.ts';
import { jobIn, type LeafState } from '../support/jobStates.ts';

const test = suite('runner: watching the list of jobs');

const step = (id: string, leaf: LeafState, chart = 'job') => {
  const { value, context } = jobIn(leaf);
  return { id, after: { id, chart, value, context: { ...context, id } } as ActorState<JobContext> };
};
const commit = (...steps: ReturnType<typeof step>[]) => ({ steps, frames: [] });

/** A watch that counts how often it reads a row. */
function watched() {
  let reads = 0;
  const watch = new JobWatch((id) => {
    reads += 1;
    return { id, createdAt: 0, updatedAt: 1, index: { activity: 'live' } } as ActorRow;
  });
  return { watch, reads: () => reads };
}

test('a commit tells every watcher which jobs it has changed, each once, as it is in the end (HTTP-3)', () => {
  const { watch } = watched();
  const told: string[][] = [[], []];
  for (const list of told) watch.watch((jobs) => list.push(...jobs.map(({ id, status }) => `${id} ${status}`)));
  watch.onCommit(commit(step('a', 'parked.event'), step('b', 'ended.failed'), step('a', 'queued')));
  assert.equal(told, [
    ['a queued', 'b failed'],
    ['a queued', 'b failed'],
  ]);
});

test('other actors are no jobs, and who has left is told nothing', () => {
  const { watch, reads } = watched();
  let told = 0;
  const leave = watch.watch(() => {
    told += 1;
  });
  watch.onCommit(commit(step('a', 'queued', 'subRuns')));
  leave();
  watch.onCommit(commit(step('a', 'queued')));
  assert.equal([told, reads()], [0, 0]);
});

test.run();
