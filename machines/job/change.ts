import type { IntrinsicParams } from '../../src/contract/records/changes.ts';
import type { JobContext } from './jobContext.ts';
import type { JobEvent } from './jobEvents.ts';
import { type Change, createEventChangeBuilder, type EffectOf } from '../kit/change.ts';
import type { JobPorts } from './ports.ts';

/**
 * Every effect of the job chart and its params: ports, and what the kernel does itself within the
 * commit.
 */
export type JobEffects = JobPorts &
  Pick<
    IntrinsicParams,
    | 'timer.set'
    | 'timer.cancel'
    | 'actor.start'
    | 'actor.send'
    | 'row.put'
    | 'row.patch'
    | 'row.drop'
    | 'frame.add'
  >;

export type JobEffect = EffectOf<JobEffects>;

/** A named action. */
export type JobChange<Params = undefined> = Change<JobContext, JobEvent, JobEffect, Params>;

/** Fields of the context with their new values. */
export type Patch = Partial<JobContext>;

/** A change that reads its event. */
export const onJobEvent = createEventChangeBuilder<JobContext, JobEvent, JobEffect>();
