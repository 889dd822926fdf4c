import type { IntrinsicParams } from '../../src/contract/records/changes.ts';
import type { JobContext } from './jobContext.ts';
import type { JobEvent } from './jobEvents.ts';
import {
  type Change,
  createEventChangeBuilder,
  createEventFieldChangeBuilder,
  createFieldChangeBuilder,
  type EffectOf,
} from '../kit/change.ts';
import type { JobPorts } from './ports.ts';

/** The effects of the job chart: ports, and what the kernel does within the commit. */
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

export type JobChange<Params = undefined> = Change<JobContext, JobEvent, JobEffect, Params>;

export type Patch = Partial<JobContext>;

export const onJobEvent = createEventChangeBuilder<JobContext, JobEvent, JobEffect>();

export const assignJobFields = createFieldChangeBuilder<JobContext, JobEvent>();
export const assignJobFieldsOnEvent = createEventFieldChangeBuilder<JobContext, JobEvent>();
