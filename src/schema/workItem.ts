import Type from 'typebox';

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
  id: Type.String({ pattern: WORK_ITEM_ID }),
  title: Type.String({ minLength: 1, maxLength: 200 }),
  status: WorkItemStatus,
  /** How often goto_phase went back with this item still current. */
  loopCount: Type.Integer({ minimum: 0 }),
  /** Ids of its pull requests, `<forge>:<repo>#<number>`. */
  prIds: Type.Array(Type.String(), { maxItems: 20 }),
});
export type WorkItem = Type.Static<typeof WorkItem>;

/** Most work items of one job. */
export const MAX_WORK_ITEMS = 100;
