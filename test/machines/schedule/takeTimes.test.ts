import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { takeTimes } from '../../../machines/schedule/takeTimes.ts';

const test = suite('schedules: overlaps');

const take = (
  over: { pending?: number[]; live?: string[] },
  rule: 'skip' | 'queue' | 'cancel',
  due = [3],
) => takeTimes({ pending: [], live: [], ...over }, { due, missed: [], overlap: rule });

for (const rule of ['skip', 'queue', 'cancel'] as const)
  test(`${rule}: a time without a job before it gets its job`, () => {
    assert.equal(take({}, rule), { pending: [3], cancel: [], skipped: [] });
  });

test('skip: a time is left out while a job lives, and says which', () => {
  const { pending, skipped } = take({ live: ['a'] }, 'skip');
  assert.equal(pending, []);
  assert.match(skipped[0]?.problem ?? '', /: a\.$/);
});

test('skip: a time is left out while another waits', () => {
  assert.equal(take({ pending: [1] }, 'skip').pending, [1]);
});

test('queue: a time waits; from 24 on it is left out', () => {
  assert.equal(take({ live: ['a'], pending: [1] }, 'queue').pending, [1, 3]);
  const full = Array.from({ length: 24 }, (_, at) => at);
  assert.equal(
    take({ live: ['a'], pending: full }, 'queue', [30]).skipped.map(({ time }) => time),
    [30],
  );
});

test('cancel: the newest time replaces all before it', () => {
  const { pending, cancel, skipped } = take({ live: ['a', 'b'], pending: [1] }, 'cancel', [2, 3]);
  assert.equal([pending, cancel], [[3], ['a', 'b']]);
  assert.equal(
    skipped.map(({ time }) => time),
    [1, 2],
  );
});

test('missed times that are made up follow one another', () => {
  assert.equal(take({}, 'skip', [1, 2, 3]).pending, [1, 2, 3]);
});

test.run();
