import { KernelError } from '../kernel/contract.ts';
import { SvcError } from '../shared/errors/errors.ts';

/** An error of the store as a person is shown it. */
export function toShownStoreError(error: unknown): unknown {
  if (!(error instanceof KernelError)) return error;
  const extras = { cause: error };
  return error.code === 'stopping'
    ? new SvcError('stopping', 'The runner is stopping; try again after it has started.', extras)
    : new SvcError(
        'store-failed',
        'The conversation could not be stored. Try again; see the log of the runner.',
        extras,
      );
}
