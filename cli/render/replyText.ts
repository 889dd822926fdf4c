import type { CommandReply } from '../../src/schema/bodies.ts';
import { printableLine } from './printable.ts';

/** What a job is after a command, on one line. */
export const replyText = ({ jobId, status, phase, receipt }: CommandReply): string => {
  const message = receipt === undefined ? '' : `, message ${receipt.id} ${receipt.state}`;
  return `${printableLine(jobId)}: ${printableLine(status)} (phase ${printableLine(phase)}${message})\n`;
};
