import type { JobPorts } from '../../../machines/index.ts';
import type { Port } from '../../kernel/port.ts';
import type { LiveSessions } from '../open/liveSessions.ts';

/**
 * `message.offer`: hands a message over to the session that runs. One that does not run (any more),
 * or that cannot be talked to, takes nothing: the message stays unread in the inbox and the next
 * kickoff brings it.
 */
export const offerMessage =
  (sessions: LiveSessions): Port<JobPorts['message.offer']> =>
  async ({ visit, session, n }, { actorId: jobId }) => {
    sessions.message({ jobId, visit, session }, n);
  };
