import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { StateValue } from 'xstate';
import type { JobContext } from '../../machines/index.ts';
import { MAX_CONTEXT_BYTES } from '../../src/kernel/contract.ts';
import { listLeafPaths } from '../../src/base/json/listLeafPaths.ts';
import { shortestPaths } from '../support/charts/jobPaths.ts';
import { LEAF_STATES } from '../support/charts/jobStates.ts';

const test = suite('job chart: all paths');

/** What must be true of a job at rest, whatever has led there; the sentences of what is not. */
function findBrokenRules({
  value,
  context,
  tags,
}: {
  value: StateValue;
  context: JobContext;
  tags: Set<string>;
}): string[] {
  const [leaf = ''] = listLeafPaths(value);
  const [top, name] = leaf.split('.');
  const { parked, next, queuedAt, given, visitOpen, stopFor, inbox, unread } = context;
  const truths: Record<string, boolean> = {
    'the state is one at rest': LEAF_STATES.some((known) => known === leaf),
    'the slot is held while it works, and only then': tags.has('slot') === (top === 'working'),
    'a parked job says why, and only a parked one':
      (parked?.kind ?? null) === (top === 'parked' ? name : null),
    'a queued job knows since when and for which phase':
      (queuedAt !== null) === (top === 'queued') && (top !== 'queued' || next !== null),
    'a working job has an open visit': top !== 'working' || visitOpen,
    'an ended job has nothing open':
      top !== 'ended' || (!visitOpen && next === null && stopFor === null),
    'a running session was given its kickoff': leaf !== 'working.inSession' || given !== null,
    'a job that awaits says what': leaf !== 'parked.event' || context.awaited !== null,
    'what is unread is counted':
      inbox.arrived > inbox.drained === unread.messages + unread.kinds.length > 0,
    'no message is unread in a complete job': leaf !== 'ended.complete' || unread.messages === 0,
    'the context fits': JSON.stringify(context).length <= MAX_CONTEXT_BYTES,
  };
  return Object.keys(truths).filter((truth) => truths[truth] !== true);
}

test('every path of events ends at rest in a legal state, and every state is reached (JOB-3)', () => {
  const paths = shortestPaths();
  const wrong = paths.flatMap(({ state, steps }) => {
    const how = steps.map(({ event }) => event.type).join(' ');
    return findBrokenRules(state).map(
      (truth) => `${listLeafPaths(state.value)}: not true that ${truth}, after ${how}`,
    );
  });
  assert.equal(wrong.slice(0, 3), []);
  assert.ok(paths.length > 500, `${paths.length} paths`);
  const reached = new Set(
    paths.flatMap(({ steps }) => steps.flatMap(({ state }) => listLeafPaths(state.value))),
  );
  assert.equal([...reached].toSorted(), [...LEAF_STATES].toSorted());
});

test.run();
