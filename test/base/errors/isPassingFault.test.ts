import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isLastingError, SvcError } from '../../../src/base/errors/errors.ts';
import { isPassingFault } from '../../../src/base/errors/isPassingFault.ts';

const test = suite('faults that pass');

const fault = (code: string): Error => Object.assign(new Error(`${code}: it failed`), { code });

for (const code of [
  'EMFILE',
  'ENFILE',
  'EIO',
  'ENOMEM',
  'EAGAIN',
  'EBUSY',
  'ESTALE',
  'ETIMEDOUT',
  'ENOSPC',
])
  test(`${code} makes no refusal lasting, however deep it is`, () => {
    const within = new Error('the library failed', { cause: fault(code) });
    const error = new SvcError('config-invalid', 'The base layer cannot be read.', {
      cause: within,
    });
    assert.equal(
      [error.code, error.status, isLastingError(error)],
      ['temporarily-unavailable', 503, false],
    );
  });

test('what a person has to repair stays what it is', () => {
  for (const code of ['ENOENT', 'EACCES', 'EISDIR', 'ELOOP', 'ENOTDIR', 'EPERM', 'ENAMETOOLONG']) {
    assert.not(isPassingFault(fault(code)), code);
    const error = new SvcError('config-invalid', 'It cannot be read.', { cause: fault(code) });
    assert.is(error.code, 'config-invalid');
  }
});

test('a refusal that names no lasting mistake keeps its code', () => {
  const error = new SvcError('store-failed', 'It cannot be written.', { cause: fault('ENOSPC') });
  assert.is(error.code, 'store-failed');
});

test('causes that lead in a cycle end', () => {
  const error = new Error('round');
  error.cause = error;
  assert.not(isPassingFault(error));
});

test.run();
