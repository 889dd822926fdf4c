import { setImmediate as settled } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { KeyedQueue } from '../../../src/base/concurrency/keyedQueue.ts';

const test = suite('in turn');

/** Acts that note when they begin and end; each ends when `end` is called. */
function acts() {
  const log: string[] = [];
  const ends = new Map<string, (error?: Error) => void>();
  return {
    log,
    act: (name: string) => async () => {
      log.push(`${name} begins`);
      await new Promise<void>((resolve, reject) => {
        ends.set(name, (error) => (error ? reject(error) : resolve()));
      });
      log.push(`${name} ends`);
      return name;
    },
    end: async (name: string, error?: Error) => {
      await settled();
      ends.get(name)?.(error);
    },
  };
}

test('acts on one thing run in sequence', async () => {
  const turns = new KeyedQueue();
  const { log, act, end } = acts();
  const both = Promise.all([turns.run('a', act('first')), turns.run('a', act('second'))]);
  await end('first');
  await end('second');
  assert.equal(await both, ['first', 'second']);
  assert.equal(log, ['first begins', 'first ends', 'second begins', 'second ends']);
});

test('acts on different things run side by side', async () => {
  const turns = new KeyedQueue();
  const { log, act } = acts();
  void turns.run('a', act('first'));
  void turns.run('b', act('second'));
  await settled();
  assert.equal(log, ['first begins', 'second begins']);
});

test('an act that fails does not keep the next from running', async () => {
  const turns = new KeyedQueue();
  const { log, act, end } = acts();
  const failed = turns.run('a', act('first')).catch((error: Error) => error.message);
  const next = turns.run('a', act('second'));
  await end('first', new Error('no ink'));
  await end('second');
  assert.equal(await Promise.all([failed, next]), ['no ink', 'second']);
  assert.equal(log, ['first begins', 'second begins', 'second ends']);
});

test.run();
