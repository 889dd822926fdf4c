import type { CommandReply } from '../../../src/contract/schema/api/bodies.ts';
import { toPrintableLine } from '../text/toPrintable.ts';

/** What a job is after a command, on one line. Its status is that of what it waited for while it is paused. */
export const formatCommandReply = ({
  jobId,
  status,
  phase,
  state,
  receipt,
}: CommandReply): string => {
  const isPaused = state.includes('parked.paused') && status !== 'paused';
  const message = receipt === undefined ? '' : `, message ${receipt.id} ${receipt.state}`;
  return `${toPrintableLine(jobId)}: ${toPrintableLine(status)}${isPaused ? ', paused' : ''} (phase ${toPrintableLine(phase)}${message})\n`;
};
