import type { Caller } from '../../providers/account/caller.ts';
import type { AccountWriter, WriteTarget } from '../../providers/account/accountWriter.ts';
import type { ForgeActor, ForgeChange } from '../../contract/forge/forge.ts';
import type {
  JobTracker,
  TrackerAnswer,
  TrackerOperation,
  TrackerOperations,
} from '../../contract/forge/tracker.ts';

/**
 * A tracker's answer in the form of the write service: there is no pull request, and the tracker
 * reports its news itself.
 */
const toTrackerChange = (result: TrackerAnswer): ForgeChange => ({
  pr: null,
  result,
  rows: [],
  events: [],
});

const toTrackerTarget = (tracker: JobTracker): WriteTarget<TrackerOperations> => ({
  id: tracker.id,
  consistencyMs: tracker.consistencyMs,
  doesOnce: tracker.doesOnce,
  write: async (operation, args, actor) =>
    toTrackerChange(await tracker.write(operation, args, actor)),
  async find(operation, args, actor) {
    const trackerAnswer = await tracker.find(operation, args, actor);
    return trackerAnswer && toTrackerChange(trackerAnswer);
  },
});

const OPERATIONS: Readonly<Record<TrackerOperation, true>> = {
  post_comment: true,
  transition_issue: true,
};
const isOperation = (name: string): name is TrackerOperation => Object.hasOwn(OPERATIONS, name);

/**
 * One write to a tracker, at most once, kept in the same log as writes to forges. Null for an
 * operation that trackers do not have.
 */
export const writeTracker = (
  service: AccountWriter,
  tracker: JobTracker,
  operation: string,
  args: object,
  actor: ForgeActor,
  caller: Caller,
): Promise<ForgeChange> | null =>
  // The tool server has validated the arguments against the operation's schema.
  isOperation(operation)
    ? service.write(
        toTrackerTarget(tracker),
        operation,
        args as TrackerOperations[TrackerOperation],
        actor,
        caller,
      )
    : null;
