import type { IntrinsicParams } from '../../src/contract/records/changes.ts';
import {
  type Change,
  createEventChangeBuilder,
  type EffectOf,
  type Outcome,
} from '../kit/change.ts';
import { toEventTime } from '../kit/eventTime.ts';
import type { SubRunsContext } from './subRunsContext.ts';
import type { SubRunsPorts } from './ports.ts';
import type { SubRunsEvent } from './subRunsEvents.ts';
import { type Mark, setMarks } from './graph.ts';
import { toCampaignFrame, buildSubRunPatch, type SubRunPatch } from './subRunRows.ts';

export type SubRunsEffects = SubRunsPorts &
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

export type Effect = EffectOf<SubRunsEffects>;

export type SubRunsOutcome = Outcome<SubRunsContext, Effect>;

export type SubRunsChange = Change<SubRunsContext, SubRunsEvent, Effect>;

export const onSubRunsEvent = createEventChangeBuilder<SubRunsContext, SubRunsEvent, Effect>();

export const patchSubRun = (
  { parentJobId }: SubRunsContext,
  name: string,
  set: SubRunPatch,
): Effect => ({
  type: 'row.patch',
  params: buildSubRunPatch(parentJobId, name, set),
});

export const createCampaignLogEffect = (
  context: SubRunsContext,
  event: { at?: number },
  text: string,
): Effect => ({
  type: 'frame.add',
  params: toCampaignFrame(context.parentJobId, toEventTime(context, event), text),
});

export const sendToActor = (
  to: string,
  event: { type: string; [key: string]: unknown },
): Effect => ({
  type: 'actor.send',
  params: { to, event },
});

const BROKEN = ['failed', 'escalated'] as const;

/**
 * When the campaign continues despite a failure, it no longer needs a person. Covers all jobs of
 * the campaign or one, and only present asks: a rerun that fails asks again.
 */
export const dismissFailureAsks = (
  context: SubRunsContext,
  event: { at?: number },
  of: { job_id?: string },
): Effect[] =>
  BROKEN.map((ask) => ({
    type: 'row.patch',
    params: {
      table: 'job_list',
      key: { ...of, parent: context.parentJobId, ask },
      set: { dismissed_at: toEventTime(context, event) },
    },
  }));

export const requirePosition = ({ graph }: SubRunsContext, name: string): number => {
  const n = graph.names.indexOf(name);
  if (n < 0) throw new Error(`there is no sub-run ${name}`);
  return n;
};

export const markSubRun = (
  { graph }: SubRunsContext,
  n: number,
  mark: Mark,
): Partial<SubRunsContext> => ({
  graph: setMarks(graph, new Map([[n, mark]])),
});
