import type { ScheduleView } from '../../src/contract/schema/runner/schedule.ts';
import { type Finding, toOkFinding, toSkippedFinding, toWarningFinding } from './check.ts';

const describeFault = ({ name, state, failures, problem }: ScheduleView): string | null => {
  if (state === 'paused') return `${name} is paused after ${failures} failures in a row`;
  return state === 'on' && problem !== null
    ? `${name} cannot create its next job: ${problem}`
    : null;
};

/** Schedules that are paused, or whose next job could not be created now. */
export function diagnoseSchedules(schedules: readonly ScheduleView[]): Finding {
  const on = schedules.filter(({ enabled }) => enabled);
  if (on.length === 0) return toSkippedFinding('no schedules are configured');
  const faults = on.map(describeFault).filter((fault) => fault !== null);
  if (faults.length === 0)
    return toOkFinding(`${on.length} ${on.length === 1 ? 'schedule' : 'schedules'}`);
  return toWarningFinding(
    faults.join('; '),
    'Fix the cause, then: svc schedule resume <name>. svc schedule list shows the last outcome.',
  );
}
