import { SvcError } from '../../base/errors/errors.ts';
import type { CallingRunner } from '../server/cloudCall.ts';

export const createNoHomeError = (): SvcError =>
  new SvcError('not-found', 'The control plane has no log of this home.');

/** Throws SvcError `home-claimed` for a process that has not claimed the home that it would continue. */
export function requireHolder({ adoption }: CallingRunner): void {
  if (adoption === null || adoption.isRunning) return;
  throw new SvcError('home-claimed', 'The home has not been claimed by this process.', {
    data: { holder: null },
  });
}

/** Throws SvcError `forbidden` for a process of another runner: only the home's own may give its log up. */
export function requireOwn({ adoption }: CallingRunner): void {
  if (adoption === null) return;
  throw new SvcError('forbidden', 'Only the runner whose home this is can do this.');
}
