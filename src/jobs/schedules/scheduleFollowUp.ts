import { type ScheduledEnd, toScheduleActorId } from '../../../machines/index.ts';
import { readAtPath } from '../../base/json/untrusted.ts';
import type { FollowUp, IndexChange, Send } from '../../kernel/contract.ts';
import type { ActorIndex } from '../../kernel/chart.ts';

const isLive = (index: ActorIndex | undefined): boolean =>
  index !== undefined && index.activity !== 'ended';

const toEnd = (label: string): ScheduledEnd =>
  label === 'complete' ? 'complete' : ['failed', 'escalated'].includes(label) ? 'failed' : 'other';

/** Name of the schedule that a job is of; null = of none. */
const readScheduleName = ({ state }: IndexChange): string | null => {
  if (state.chart !== 'job') return null;
  const name = readAtPath(state.context, 'params', 'trigger', 'schedule');
  return typeof name === 'string' ? name : null;
};

/** Reports the begin and the end of a schedule's jobs to it, in the commits in which they happen. */
export const createScheduleFollowUp = (has: (actorId: string) => boolean): FollowUp => ({
  sends: (changes) =>
    changes.flatMap((change): Send[] => {
      const [was, is] = [isLive(change.before), isLive(change.after)];
      if (was === is) return [];
      const name = readScheduleName(change);
      if (name === null) return [];
      const to = toScheduleActorId(name);
      if (!has(to)) return [];
      const { id, after } = change;
      return [
        {
          to,
          event: is
            ? { type: 'schedule.jobBegan', jobId: id }
            : { type: 'schedule.jobEnded', jobId: id, end: toEnd(after.label) },
        },
      ];
    }),
  onRefused() {
    // Its chart takes both events in every state.
  },
});
