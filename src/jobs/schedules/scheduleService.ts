import {
  readScheduleContext,
  scheduleChart,
  type ScheduleInput,
  toScheduleActorId,
} from '../../../machines/index.ts';
import { SHOWN_TIMES } from '../../base/jobs/schedules.ts';
import { type FieldError, isLastingError, SvcError } from '../../base/errors/errors.ts';
import type { Log } from '../../base/system/log/log.ts';
import { suggestClosestName } from '../../base/text/findClosestName.ts';
import { listNextCronTimes } from '../../base/system/time/cronTimes.ts';
import { toIsoTime } from '../../base/time/toIsoTime.ts';
import type { KernelUse } from '../../contract/records/changes.ts';
import type { RowReader } from '../../contract/records/rowReader.ts';
import type { Runner } from '../../contract/runner/runner.ts';
import type { CreateJobBody } from '../../contract/schema/api/bodies.ts';
import type {
  ScheduleRule,
  ScheduleRun,
  ScheduleView,
} from '../../contract/schema/runner/schedule.ts';
import type { Settings } from '../../contract/schema/runner/settings.ts';
import type { ActorState } from '../../kernel/chart.ts';
import type { ActorList } from '../../kernel/sqlite/actorList.ts';
import { translateKernelErrors } from '../commands/refusals.ts';
import type { CreateJob } from '../create/createJob.ts';
import { buildScheduledBody, buildScheduledOrigin } from './buildScheduledJob.ts';
import { describeRefusal } from './describeRefusal.ts';
import { hashScheduleRule } from './hashScheduleRule.ts';

/** How many of the last times of a schedule are shown. */
const SHOWN_RUNS = 10;
/** How long the answer whether a job could be created is kept, ms: the dashboard asks again and again. */
const PROBLEM_MS = 60_000;
/** Most schedules that are no longer configured and are still reported as removed at a start. */
const MOST_ACTORS = 1_000;

export interface ScheduleServiceDeps {
  settings: Pick<Settings, 'schedules'>;
  kernel: KernelUse;
  rows: RowReader;
  actors: Pick<ActorList, 'list'>;
  createJob: CreateJob;
  /** Throws what the creation of the job would; creates nothing. */
  checkJob(body: CreateJobBody): Promise<unknown>;
  /** The runner only continues the home of a lost one: nothing is scheduled. */
  isAdopted: boolean;
  log: Pick<Log, 'info' | 'warn' | 'error'>;
  now(): number;
}

export interface ScheduleService
  extends Pick<Runner, 'schedules' | 'runSchedule' | 'resumeSchedule'> {
  /** Reports what is configured to the charts: new schedules, changed and removed ones. */
  sync(): Promise<void>;
  /** Mistakes that only a job's creation finds, by the place in the list. Empty = all can be created. */
  checkSchedules(rules: readonly ScheduleRule[]): Promise<FieldError[]>;
}

const describeSwitchedOff = ({ name, labels = [] }: ScheduleRule): string =>
  labels.length === 0
    ? `The schedule ${name} is switched off: set schedules[].enabled to true.`
    : `The schedule ${name} is switched off on this runner: set schedules[].enabled to true, and give the runner the labels of the schedule in cloud.labels (${labels.join(', ')}).`;

const toScheduleRun = (row: {
  time: number;
  manual: 0 | 1;
  state: ScheduleRun['state'];
  job_id: string | null;
  problem: string | null;
}): ScheduleRun => ({
  time: toIsoTime(row.time),
  manual: row.manual === 1,
  state: row.state,
  jobId: row.job_id,
  problem: row.problem,
});

export const createScheduleService = (deps: ScheduleServiceDeps): ScheduleService => {
  const { settings, kernel, rows, log, now } = deps;
  const problems = new Map<string, { until: number; problem: Promise<string | null> }>();

  const findRefusal = async (rule: ScheduleRule): Promise<SvcError | null> => {
    try {
      await deps.checkJob(buildScheduledBody(rule));
      return null;
    } catch (error) {
      return isLastingError(error) ? error : null;
    }
  };

  const findProblem = (rule: ScheduleRule): Promise<string | null> => {
    const key = hashScheduleRule(rule);
    const cached = problems.get(key);
    if (cached && cached.until > now()) return cached.problem;
    const problem = findRefusal(rule).then((error) => error && describeRefusal(error));
    for (const [other, { until }] of problems) if (until <= now()) problems.delete(other);
    problems.set(key, { until: now() + PROBLEM_MS, problem });
    return problem;
  };

  const requireRule = (name: string): ScheduleRule => {
    const rule = (settings.schedules ?? []).find((one) => one.name === name);
    if (rule) return rule;
    const names = (settings.schedules ?? []).map((one) => one.name);
    throw new SvcError(
      'not-found',
      `Schedule ${name} not found. ${suggestClosestName(name, names)}`,
    );
  };

  const readState = (name: string): ActorState | undefined => kernel.state(toScheduleActorId(name));

  const toView = async (rule: ScheduleRule): Promise<ScheduleView> => {
    const { name, enabled, cron, timeZone, workflow, missed, overlap, jitter } = rule;
    const actor = readState(name);
    const context = actor && readScheduleContext(actor);
    const state = !enabled || deps.isAdopted ? 'off' : actor?.value === 'paused' ? 'paused' : 'on';
    const runs = rows.all(
      'schedule_runs',
      { schedule: name },
      { order: 'time', desc: true, limit: SHOWN_RUNS },
    );
    return {
      name,
      enabled,
      cron,
      timeZone,
      workflow,
      missed,
      overlap,
      jitter,
      state,
      failures: context?.failures ?? 0,
      waiting: context?.pending.length ?? 0,
      liveJobs: context?.live ?? [],
      problem: enabled ? await findProblem(rule) : null,
      next: state === 'on' ? listNextCronTimes(rule, now(), SHOWN_TIMES).map(toIsoTime) : [],
      runs: runs.map(toScheduleRun),
    };
  };

  const startActor = (name: string, definition: string) => {
    const input: ScheduleInput = { name, definition, createdAt: now() };
    return kernel.submit({
      starts: [{ chart: scheduleChart.id, id: toScheduleActorId(name), input }],
    });
  };

  const syncRule = async (rule: ScheduleRule): Promise<void> => {
    const definition = hashScheduleRule(rule);
    const actor = readState(rule.name);
    if (actor === undefined) await startActor(rule.name, definition);
    else if (
      readScheduleContext(actor).definition !== definition ||
      (actor.value === 'off' && rule.enabled)
    )
      await kernel.send(actor.id, { type: 'schedule.configured', definition });
  };

  const removeOthers = async (): Promise<void> => {
    const configuredIds = new Set(
      (settings.schedules ?? []).map(({ name }) => toScheduleActorId(name)),
    );
    const { rows: actorRows } = deps.actors.list({
      chart: scheduleChart.id,
      limit: MOST_ACTORS,
      offset: 0,
    });
    for (const { id } of actorRows) {
      const actor = configuredIds.has(id) ? undefined : kernel.state(id);
      if (actor && readScheduleContext(actor).definition !== null)
        await kernel.send(id, { type: 'schedule.removed' });
    }
  };

  return {
    async sync() {
      if (deps.isAdopted) return;
      for (const rule of settings.schedules ?? []) {
        await syncRule(rule);
        if (!rule.enabled) continue;
        const problem = await findProblem(rule);
        if (problem !== null)
          log.warn(
            { schedule: rule.name, problem },
            'the next job of a schedule cannot be created',
          );
      }
      await removeOthers();
    },
    async checkSchedules(rules) {
      const errors = await Promise.all(
        rules.map(async (rule, index) => {
          const error = rule.enabled ? await findRefusal(rule) : null;
          if (error === null) return [];
          const at = `/schedules/${index}`;
          const places = error.errors.map(({ pointer, message }) => ({
            pointer: `${at}${pointer.replace('/workflowPath', '/workflow')}`,
            message,
          }));
          return places.length > 0
            ? places
            : [{ pointer: `${at}/workflow`, message: error.message }];
        }),
      );
      return errors.flat();
    },
    schedules: () => Promise.all((settings.schedules ?? []).map(toView)),
    async runSchedule(name, { requestKey }) {
      const rule = requireRule(name);
      const at = now();
      const created = await deps.createJob(
        buildScheduledBody(rule),
        requestKey,
        buildScheduledOrigin(rule, { time: at, manual: true, now: at }),
      );
      log.info({ schedule: name, jobId: created.jobId }, 'a person started a schedule');
      return created;
    },
    async resumeSchedule(name, { by }) {
      const rule = requireRule(name);
      const actor = readState(name);
      if (actor?.value !== 'paused')
        throw new SvcError(
          'not-possible-now',
          rule.enabled ? `The schedule ${name} is not paused.` : describeSwitchedOff(rule),
        );
      await translateKernelErrors(name, () =>
        kernel.send(actor.id, { type: 'schedule.resume', by }),
      );
      return toView(rule);
    },
  };
};
