import type { JobPorts } from '../../../machines/index.ts';
import type { Port } from '../../kernel/port.ts';
import type { LiveSessions } from '../open/liveSessions.ts';

/**
 * `message.offer`: hands a message to the running session. If none runs (any more) or it takes no
 * messages, the message stays unread in the inbox for the next kickoff.
 */
export const offerMessage =
  (sessions: LiveSessions): Port<JobPorts['message.offer']> =>
  async ({ visit, session, n }, { actorId: jobId }) => {
    sessions.message({ jobId, visit, session }, n);
  };
