import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { describeStep } from '../../ui/jobs/journal/describeStep.ts';

const test = suite('dashboard: a step of the journal in sentences');

const effect = (type: string) => ({ type, key: type });
const step = (
  event: { type: string; [member: string]: unknown },
  path: string[],
  ...acts: string[]
) => ({ event, path, effects: acts.map(effect) }) as Parameters<typeof describeStep>[0];

test('a step that moved the job names both states, and what the runner does next (UI-1)', () => {
  const prepared = step(
    { type: 'phase.prepared' },
    ['working.inSession'],
    'session.open',
    'row.put',
    'frame.add',
  );
  assert.equal(describeStep(prepared, ['working.preparing']), [
    'The job went from “Preparing the phase” to “Agent at work”.',
    'Next: agent running.',
  ]);
});

test('a step without a move is reported as one, and quotes what a person wrote (UI-1)', () => {
  assert.equal(describeStep(step({ type: 'job.message', text: 'Use pnpm' }, []), ['queued']), [
    'The job stays where it is.',
    '“Use pnpm”',
  ]);
});

test('names of the code are not among the sentences (UI-1)', () => {
  const all = describeStep(
    step({ type: 'phase.judged', phase: 'coding' }, ['working.routing'], 'timer.cancel', 'row.put'),
    ['working.judging'],
  ).join(' ');
  assert.not.match(all, /[a-z]+\.[a-z]+/);
  assert.match(all, /Phase: coding\./);
});

test.run();
