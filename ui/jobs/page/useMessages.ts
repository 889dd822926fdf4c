import { createEffect, on } from 'solid-js';
import { createReading } from '../../shell/signals/createReading.ts';
import { useDashboard } from '../../shell/dashboard.ts';
import { useStore } from '../../shell/useStore.ts';
import { useJob } from './jobView.ts';

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
