import { createEffect, on } from 'solid-js';
import { createReading } from '../../shell/signals/createReading.ts';
import { useDashboard } from '../../shell/dashboard.ts';
import { useStore } from '../../shell/useStore.ts';
import { useJob } from './jobView.ts';
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

/** The job's messages with the outcome of each; the last ones while they are read again. */
export function useMessages() {
  const { client } = useDashboard();
  const { store, job } = useJob();
  const steps = useStore(store, (context) => context.journal.length);
  const [messages, { refetch }] = createReading(
    async () => (await client.messages(job().id)).messages,
  );
  // Each change of a receipt is a step of the job.
  createEffect(on(steps, () => void refetch(), { defer: true }));
  return {
    messages: () => (messages.error ? [] : (messages.latest ?? [])),
    problem: () => messages.error,
    refetch,
  };
}
