import { SESSION_FAULTS } from '../../../src/base/errors/sessionFaults.ts';
import type { SessionStop } from '../jobContext.ts';

/**
 * Whether a session's end fails the job: a limit of time or output, or an exit code of the agent's
 * program. Ends stored by svc 0.2 have no fault and count as such.
 */
export const mustFailJob = (stop: Pick<SessionStop, 'reason' | 'fault'> | null): boolean =>
  stop?.reason === 'limit' ||
  (stop?.reason === 'error' && SESSION_FAULTS[stop.fault ?? 'own-exit'].leads === 'fail');
