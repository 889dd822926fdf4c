import type { ScheduleAnswer, SchedulePorts } from '../../../machines/index.ts';
import { isLastingError, SvcError } from '../../base/errors/errors.ts';
import type { KernelUse } from '../../contract/records/changes.ts';
import type { RowReader } from '../../contract/records/rowReader.ts';
import type { ScheduleRule } from '../../contract/schema/runner/schedule.ts';
import type { Port } from '../../kernel/port.ts';
import type { CreateJob } from '../create/createJob.ts';
import { buildScheduledBody, buildScheduledOrigin } from './buildScheduledJob.ts';
import { describeRefusal } from './describeRefusal.ts';
import { hashScheduleRule } from './hashScheduleRule.ts';
import { planTimes } from './planTimes.ts';

/**
 * Waits before a job is tried again that could not be created for a reason that may pass, such as a
 * tracker that does not answer, ms.
 */
export const START_RETRIES_MS: readonly number[] = [1_000, 10_000, 60_000, 300_000, 900_000];

export interface SchedulePortDeps {
  kernel: Pick<KernelUse, 'submit'>;
  rows: RowReader;
  createJob: CreateJob;
  /** Undefined = it is not configured. */
  findRule(name: string): ScheduleRule | undefined;
  /** Whether the runner only continues the home of a lost one, whose configuration it lacks. */
  isAdopted: boolean;
  now(): number;
}

const answer = (event: ScheduleAnswer) => ({ events: [event] });

export const planSchedule =
  ({ findRule, isAdopted, now }: SchedulePortDeps): Port<SchedulePorts['schedule.plan']> =>
  async ({ name, definition, decidedUntil }) => {
    const rule = isAdopted ? undefined : findRule(name);
    if (rule?.enabled !== true)
      return answer({
        type: 'schedule.planned',
        // Nothing is decided while the home is elsewhere: its own runner continues where it was.
        definition: isAdopted ? definition : rule === undefined ? null : hashScheduleRule(rule),
        decidedUntil,
        due: [],
        missed: [],
        next: null,
        overlap: 'skip',
      });
    return answer({
      type: 'schedule.planned',
      definition: hashScheduleRule(rule),
      overlap: rule.overlap,
      ...planTimes(rule, decidedUntil, now()),
    });
  };

/** Refusals that say nothing about the schedule: they do not count towards its pause. */
const isOfTheMoment = (error: unknown): error is SvcError =>
  error instanceof SvcError && ['over-budget', 'not-possible-now'].includes(error.code);

export const startScheduledJob =
  (deps: SchedulePortDeps): Port<SchedulePorts['schedule.start']> =>
  async ({ name, time, cancel }) => {
    const { kernel, rows, createJob, findRule, now } = deps;
    const run = rows.one('schedule_runs', { schedule: name, time, manual: 0 });
    if (run?.state === 'started') return answer({ type: 'schedule.started', time });
    const refuse = (problem: string, isFailure: boolean) =>
      answer({ type: 'schedule.refused', time, problem, counts: isFailure });
    const rule = findRule(name);
    if (rule === undefined) return refuse('The schedule is no longer configured.', false);
    if (cancel.length > 0) {
      const event = {
        type: 'job.cancel',
        reason: `The schedule ${name} begins its next job (overlap: cancel).`,
      };
      await kernel.submit({ sends: cancel.map((to) => ({ to, event })) });
    }
    try {
      await createJob(
        buildScheduledBody(rule),
        undefined,
        buildScheduledOrigin(rule, { time, manual: false, now: now() }),
      );
      return answer({ type: 'schedule.started', time });
    } catch (error) {
      if (isOfTheMoment(error)) return refuse(describeRefusal(error), false);
      if (isLastingError(error)) return refuse(describeRefusal(error), true);
      throw error;
    }
  };
