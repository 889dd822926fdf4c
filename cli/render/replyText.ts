import type { CommandReply } from '../../src/schema/bodies.ts';
import { printableLine } from './printable.ts';

/** What a job is after a command, on one line. Its status is that of what it waited for while it is paused. */
export const replyText = ({ jobId, status, phase, state, receipt }: CommandReply): string => {
  const isPaused = state.includes('parked.paused') && status !== 'paused';
  const message = receipt === undefined ? '' : `, message ${receipt.id} ${receipt.state}`;
  return `${printableLine(jobId)}: ${printableLine(status)}${isPaused ? ', paused' : ''} (phase ${printableLine(phase)}${message})\n`;
};
