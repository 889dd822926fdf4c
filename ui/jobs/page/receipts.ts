import type { MessageReceipt } from '../../../src/contract/schema/session/message.ts';

/** What a state of a message means to the person who wrote it. */
export const RECEIPTS: Readonly<Record<MessageReceipt['state'], string>> = {
  queued: 'waiting for a session',
  offered: 'sent to the session',
  delivered: 'delivered to the agent',
  acknowledged: 'read by the agent',
  superseded: 'replaced by a later one',
  expired: 'expired: the job ended first',
};

export const RECEIPT_TONES: Readonly<Partial<Record<MessageReceipt['state'], string>>> = {
  offered: 'working',
  delivered: 'working',
  acknowledged: 'good',
};
