import type { JobAnswer, JobPorts } from '../machines/index.ts';
import type { Port } from '../src/kernel/port.ts';
import type { WorkflowTable } from '../src/contract/schema/workflow/workflow.ts';

type InstantPorts = { [Name in keyof JobPorts]: Port<JobPorts[Name]> };

const answer = (event: JobAnswer) => ({ events: [event] });

/**
 * Effects that do nothing and succeed immediately. `prepares` is called when the first effect of a
 * visit begins; the effect's answer waits for it.
 */
export const instantPorts = (
  workflow: WorkflowTable,
  prepares: (jobId: string) => Promise<void> | undefined = () => undefined,
): InstantPorts => ({
  'phase.prepare': async ({ visit }, { actorId }) => {
    await prepares(actorId);
    return answer({
      type: 'phase.prepared',
      visit,
      workflow,
      overlayHash: 'bench',
      checkout: null,
    });
  },
  'session.open': async ({ visit, session }) =>
    answer({
      type: 'session.ended',
      visit,
      session,
      stopReason: 'end_turn',
      error: null,
      usage: null,
    }),
  'phase.judge': async () => {},
  'session.stop': async () => {},
  'message.offer': async () => {},
  'forge.write': async ({ key, operation }) =>
    answer({
      type: 'forge.wrote',
      key,
      operation,
      ok: false,
      pr: null,
      result: { error: 'a benchmark writes to no forge' },
    }),
});
