import Type from 'typebox';
import { describe } from '../kit/schemaKit.ts';
import { MAX_PRS_PER_ITEM, MAX_WORK_ITEM_TITLE_CHARS } from '../../../base/limits/jobLimits.ts';

export const WorkItemStatus = Type.Union([
  Type.Literal('pending'),
  Type.Literal('in-progress'),
  Type.Literal('complete'),
  Type.Literal('escalated'),
]);
export type WorkItemStatus = Type.Static<typeof WorkItemStatus>;

/** Form of a work item's id. */
export const WORK_ITEM_ID = '^[a-z0-9._-]{1,64}$';

/** One piece of the job's work. At most one is in-progress: the job's `currentWorkItem`. */
export const WorkItem = Type.Object({
  id: Type.String({ pattern: WORK_ITEM_ID, description: 'Its id, which appears in branch names.' }),
  title: Type.String({
    minLength: 1,
    maxLength: MAX_WORK_ITEM_TITLE_CHARS,
    description: 'Its title.',
  }),
  status: describe(WorkItemStatus, 'Its status; at most one is in-progress.'),
  loopCount: Type.Integer({
    minimum: 0,
    description: 'How often goto_phase went back with this item still current.',
  }),
  prIds: Type.Array(Type.String(), {
    maxItems: MAX_PRS_PER_ITEM,
    description: 'Ids of its pull requests, `<forge>:<repo>#<number>`.',
  }),
});
export type WorkItem = Type.Static<typeof WorkItem>;
