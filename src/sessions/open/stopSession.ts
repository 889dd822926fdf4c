import type { JobPorts } from '../../../machines/index.ts';
import type { Port } from '../../kernel/port.ts';
import type { LiveSessions } from './liveSessions.ts';

/**
 * `session.stop`: asks the running session to end. Its own `session.open` answers then; a session
 * that does not run (any more) needs nothing.
 */
export const stopSession =
  (sessions: LiveSessions): Port<JobPorts['session.stop']> =>
  async ({ visit, session }, { actorId: jobId }) => {
    sessions.end({ jobId, visit, session });
  };
