import { SvcError } from '../../base/errors/errors.ts';
import type { Caller } from '../../contract/schema/runner/caller.ts';

/** Throws SvcError `unauthorized` for a request that any program on the machine could have sent. */
export function checkProposalDecider(by: Caller): void {
  if (by !== 'open') return;
  throw new SvcError(
    'unauthorized',
    "A decision about a proposal needs the runner's token or a dashboard login, also where server.auth is off.",
  );
}
