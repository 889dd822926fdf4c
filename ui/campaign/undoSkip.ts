import type { SubRunEffects } from '../../src/contract/schema/job/subRun.ts';
import type { Undo } from '../shell/shellStore.ts';

/** Whether a skip can be undone: nothing starts or stops with it, and the campaign continues. */
export const canUndoSkip = ({
  state,
  starts,
  stops,
}: Pick<SubRunEffects, 'state' | 'starts' | 'stops'>): boolean =>
  state !== 'settled' && starts.length + stops.length === 0;

export const undoSkip = (jobId: string, name: string): Undo => ({
  says: `${name} is no longer skipped.`,
  send: (client) => client.unskipSubRun(jobId, name),
});
