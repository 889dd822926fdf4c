import Type from 'typebox';
import { CreatedJob } from '../../src/contract/schema/api/bodies.ts';
import { ScheduleList, ScheduleView } from '../../src/contract/schema/runner/schedule.ts';

const text = Type.String();
const textOrNull = Type.Union([text, Type.Null()]);

/** What `svc schedule` prints with --json. */
export const scheduleReplies = {
  'schedule:lint': Type.Array(
    Type.Object({
      name: text,
      enabled: Type.Boolean(),
      cron: text,
      timeZone: text,
      workflow: text,
      next: Type.Array(text),
      problem: textOrNull,
      note: textOrNull,
    }),
  ),
  'schedule:list': ScheduleList,
  'schedule:resume': ScheduleView,
  'schedule:run': CreatedJob,
};
