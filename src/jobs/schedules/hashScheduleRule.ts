import type { ScheduleRule } from '../../contract/schema/runner/schedule.ts';
import { sha256 } from '../../base/system/ids/ids.ts';

/** Changes with anything that is configured of a schedule, whatever the order of its keys. */
export const hashScheduleRule = (rule: ScheduleRule): string =>
  sha256(JSON.stringify(Object.entries(rule).toSorted(([a], [b]) => (a < b ? -1 : 1))));
