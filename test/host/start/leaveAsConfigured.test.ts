import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SvcError } from '../../../src/base/errors/errors.ts';
import { leaveAsConfigured } from '../../../src/host/start/leaveAsConfigured.ts';

const test = suite('a home whose configuration names no control plane any more');

test('a refusal of the control plane is reported, and ends nothing', async () => {
  const reported: unknown[] = [];
  const refusal = new SvcError('unauthorized', 'This needs the token of a paired runner.');
  const log = { error: (facts: unknown) => reported.push(facts) };
  await leaveAsConfigured(() => Promise.reject(refusal), log as never);
  assert.equal(reported, [{ err: refusal }]);
});

test.run();
