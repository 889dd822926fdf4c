import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { KernelError } from '../../../src/kernel/contract.ts';
import { reportFault } from '../../../src/host/runner/reportFault.ts';

const test = suite('faults in the log');

test('what is refused because the runner stops is not an error and has no stack', () => {
  const reported: unknown[] = [];
  const log = {
    info: (...args: unknown[]) => reported.push(['info', ...args]),
    error: (...args: unknown[]) => reported.push(['error', ...args]),
  };
  reportFault(
    log as never,
    { where: 'x' },
    new KernelError('stopping', 'The kernel is stopping'),
    'a slot could not be granted',
  );
  assert.equal(reported, [
    ['info', { where: 'x' }, 'a slot could not be granted: the runner is stopping'],
  ]);
  const bug = new Error('bug');
  reportFault(log as never, {}, bug, 'a slot could not be granted');
  assert.equal(reported[1], ['error', { err: bug }, 'a slot could not be granted']);
});

test.run();
