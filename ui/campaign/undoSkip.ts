import type { SubRunEffects } from '../../src/contract/schema/job/subRun.ts';
import type { Undo } from '../shell/shellStore.ts';

/**
 * Whether a skip with these effects can be undone: nothing starts or is stopped because of it, and
 * the campaign has not ended with it.
 */
export const canUndoSkip = ({
  state,
  starts,
  stops,
}: Pick<SubRunEffects, 'state' | 'starts' | 'stops'>): boolean =>
  state !== 'settled' && starts.length + stops.length === 0;

/** Takes a skip back. */
export const undoSkip = (jobId: string, name: string): Undo => ({
  says: `${name} is no longer skipped.`,
  send: (client) => client.unskipSubRun(jobId, name),
});
