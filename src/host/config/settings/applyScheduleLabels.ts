import type { ScheduleRule } from '../../../contract/schema/runner/schedule.ts';

/**
 * The schedules as they count on a runner with these labels: one that wants a label which the runner does not have is
 * switched off here.
 */
export const applyScheduleLabels = (
  schedules: readonly ScheduleRule[],
  own: readonly string[],
): ScheduleRule[] =>
  schedules.map((rule) => ({
    ...rule,
    enabled: rule.enabled && (rule.labels ?? []).every((label) => own.includes(label)),
  }));
