import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { makeOnFirstUse } from '../../../src/base/concurrency/makeOnFirstUse.ts';

const test = suite('domain: what is made on first use');

test('it is made when it is asked for, once', () => {
  let calls = 0;
  const value = makeOnFirstUse(() => {
    calls++;
    return null;
  });
  assert.is(calls, 0);
  assert.is(value(), null);
  assert.is(value(), null);
  assert.is(calls, 1);
});

test('what could not be made is tried again', () => {
  let tries = 0;
  const value = makeOnFirstUse(() => {
    tries++;
    if (tries === 1) throw new Error('not yet');
    return 'made';
  });
  assert.throws(value, 'not yet');
  assert.is(value(), 'made');
});

test.run();
