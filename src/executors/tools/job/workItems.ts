import Type from 'typebox';
import {
  WORK_ITEM_ID,
  type WorkItem,
  WorkItemStatus,
} from '../../../contract/schema/job/workItem.ts';
import {
  MAX_PRS_PER_ITEM,
  MAX_WORK_ITEM_TITLE_CHARS,
  MAX_WORK_ITEMS,
} from '../../../base/limits/jobLimits.ts';
import { defineTool, createInputSchema, READS, SETS, type Tool, ToolRefusal } from '../tool.ts';

/** A single enum reports a wrong value once, with the valid ones. */
const STATUSES = WorkItemStatus.anyOf.map((status) => status.const);

const id = Type.String({
  pattern: WORK_ITEM_ID,
  description: 'Id of the work item: 1 to 64 characters: a-z, 0-9, ".", "_", "-".',
});
const title = Type.String({
  minLength: 1,
  maxLength: MAX_WORK_ITEM_TITLE_CHARS,
  description: 'What the work item is about, in one line.',
});
const status = Type.Enum(STATUSES, {
  description:
    'pending = not started; in-progress = the one you work on now (at most one); complete = done; escalated = handed to people.',
});
const prIds = Type.Array(Type.String({ minLength: 1, maxLength: 300 }), {
  maxItems: MAX_PRS_PER_ITEM,
  description: 'Ids of its pull requests as <forge>:<repo>#<number>, e.g. local:shop#3.',
});

const findRepeatedIds = (ids: readonly string[]): string[] => [
  ...new Set(ids.filter((one, index) => ids.indexOf(one) !== index)),
];
const formatWorkItemLine = ({
  id: itemId,
  status: itemStatus,
  title: itemTitle,
}: WorkItem): string => `${itemId} [${itemStatus}] ${itemTitle}`;

const setWorkItems = defineTool({
  name: 'set_work_items',
  title: 'Set the work items',
  description:
    'Sets the whole ordered list of the work items of this job. Items that are left out are removed; an item whose id exists keeps its loop count. ' +
    'The job cannot complete while an item is pending or in-progress. To change one item use update_work_item.',
  input: createInputSchema({
    items: Type.Array(
      createInputSchema({ id, title, status: Type.Optional(status), prIds: Type.Optional(prIds) }),
      {
        maxItems: MAX_WORK_ITEMS,
        description:
          'All work items in the order in which they should be done. status defaults to pending.',
      },
    ),
  }),
  hints: SETS,
  async run({ items }, call) {
    const twice = findRepeatedIds(items.map((item) => item.id));
    if (twice.length > 0)
      throw new ToolRefusal(
        `set_work_items: nothing was done. Each id may occur only once; duplicates: ${twice.join(', ')}.`,
      );
    const current = items.filter((item) => item.status === 'in-progress').map((item) => item.id);
    if (current.length > 1) {
      throw new ToolRefusal(
        `set_work_items: nothing was done. At most one item may be in-progress; here: ${current.join(', ')}.`,
      );
    }
    const before = new Map(call.port.job().workItems.map((item) => [item.id, item]));
    const next: WorkItem[] = items.map((item) => ({
      id: item.id,
      title: item.title,
      status: item.status ?? 'pending',
      loopCount: before.get(item.id)?.loopCount ?? 0,
      prIds: item.prIds ?? before.get(item.id)?.prIds ?? [],
    }));
    const { duplicate } = await call.send({ type: 'tool.set_work_items', items: next });
    return { text: `${next.length} work items set.`, data: { items: next, duplicate } };
  },
});

const updateWorkItem = defineTool({
  name: 'update_work_item',
  title: 'Update a work item',
  description:
    'Changes the status, title or pull requests of one work item. Mark it in-progress when you begin it and complete when it is done.',
  input: createInputSchema({
    id,
    status: Type.Optional(status),
    title: Type.Optional(title),
    prIds: Type.Optional(prIds),
  }),
  hints: SETS,
  async run(change, call) {
    if (change.status === undefined && change.title === undefined && change.prIds === undefined) {
      throw new ToolRefusal(
        'update_work_item: nothing was done. Give at least one of status, title, prIds.',
      );
    }
    const items = call.port.job().workItems;
    if (!items.some((item) => item.id === change.id)) {
      const itemNote =
        items.length > 0
          ? `The items are: ${items.map((item) => item.id).join(', ')}.`
          : 'No work items exist yet.';
      throw new ToolRefusal(
        `update_work_item: there is no work item "${change.id}". ${itemNote} set_work_items adds one.`,
      );
    }
    const { duplicate } = await call.send({ type: 'tool.update_work_item', ...change });
    return { text: `Work item ${change.id} updated.`, data: { id: change.id, duplicate } };
  },
});

const getWorkItems = defineTool({
  name: 'get_work_items',
  title: 'Get the work items',
  description: 'Returns the work items of this job in order, and which one is current.',
  input: createInputSchema({}),
  hints: READS,
  async run(_args, { port }) {
    const { workItems, currentWorkItem } = port.job();
    const text =
      workItems.length > 0
        ? workItems.map(formatWorkItemLine).join('\n')
        : 'There are no work items.';
    return { text, data: { items: workItems, currentWorkItem } };
  },
});

export const workItemTools: readonly Tool[] = [setWorkItems, updateWorkItem, getWorkItems];
