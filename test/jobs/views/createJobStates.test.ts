import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { KernelError, type KernelErrorCode } from '../../../src/kernel/contract.ts';
import type { ListedJob } from '../../../src/jobs/store/queries/toListedJob.ts';
import { SvcError } from '../../../src/base/errors/errors.ts';
import { createJobStates } from '../../../src/jobs/views/createJobStates.ts';

/** That it is listed is all that is asked. */
const LISTED = {} as ListedJob;

const test = suite('views: a job whose row cannot be used');

/** The code with which a job is refused whose state the kernel refuses. */
function refusal(code: KernelErrorCode): unknown {
  const kernel = {
    state: () => {
      throw new KernelError(code, 'why');
    },
  };
  const { readState } = createJobStates(
    kernel,
    { actor: () => undefined },
    { findJob: () => undefined },
  );
  try {
    return readState('job-1');
  } catch (error) {
    return error instanceof SvcError ? error.code : error;
  }
}

for (const code of ['snapshot-unreadable', 'unknown-chart'] as const)
  test(`${code}: the answer names the broken row instead of an internal error`, () => {
    assert.is(refusal(code), 'broken-row');
  });

test('a job of the list whose state is missing is broken, and no unknown job', () => {
  const { readState, assertJob } = createJobStates(
    { state: () => undefined },
    { actor: () => undefined },
    { findJob: (id) => (id === 'job-1' ? LISTED : undefined) },
  );
  const codeFor = (id: string) => {
    try {
      return readState(id).id;
    } catch (error) {
      return error instanceof SvcError ? error.code : error;
    }
  };
  assert.equal([codeFor('job-1'), codeFor('job-2')], ['broken-row', 'not-found']);
  assertJob('job-1');
  assert.throws(() => assertJob('job-2'), /does not exist/);
});

test.run();
