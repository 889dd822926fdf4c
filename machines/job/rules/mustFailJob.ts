import { SESSION_FAULTS } from '../../../src/shared/errors/sessionFaults.ts';
import type { SessionStop } from '../jobContext.ts';

/**
 * Whether the end of a session fails the job: a limit of its time or output, or an exit code of the
 * agent's own program. Ends that svc 0.2 has written down name no fault and are of that kind.
 */
export const mustFailJob = (stop: Pick<SessionStop, 'reason' | 'fault'> | null): boolean =>
  stop?.reason === 'limit' ||
  (stop?.reason === 'error' && SESSION_FAULTS[stop.fault ?? 'own-exit'].leads === 'fail');
