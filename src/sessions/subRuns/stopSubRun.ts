import type { SubRunsPorts } from '../../../machines/index.ts';
import type { Port } from '../../kernel/port.ts';

export interface StopSubRunDeps {
  /** The job of this run of the sub-run; null while it has none. */
  subRunJobId(params: SubRunsPorts['subRun.stop']): string | null;
}

/**
 * `subRun.stop`: cancels the job of a sub-run. If it has no job yet, the dispatcher stops it when
 * it would get one.
 */
export const stopSubRun =
  ({ subRunJobId }: StopSubRunDeps): Port<SubRunsPorts['subRun.stop']> =>
  async (params, { effectId }) => {
    const to = subRunJobId(params);
    if (to === null) return {};
    const event = { type: 'job.cancel', reason: params.reason };
    return { sends: [{ to, event, source: 'subRun.stop', externalId: effectId }] };
  };
