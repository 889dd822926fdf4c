import Type from 'typebox';
import { closed } from '../../../contract/schema/kit/schemaKit.ts';
import { LABEL } from './cloud.ts';
import { JobParams, word } from './fieldSchemas.ts';

const Schedule = Type.Object(
  {
    name: Type.String({
      pattern: '^[a-z0-9][a-z0-9-]{0,63}$',
      description: 'Name of the schedule; another name is another schedule.',
    }),
    enabled: Type.Boolean({ default: true, description: 'Whether it creates jobs.' }),
    cron: Type.String({
      ...word,
      description:
        'When: minute, hour, day of the month, month, day of the week, such as `0 3 * * MON-FRI`; or `@daily`, `@hourly` and the like.',
    }),
    timeZone: Type.String({
      ...word,
      default: 'UTC',
      description: 'Time zone of the expression, such as `Europe/Berlin`.',
    }),
    workflow: Type.String({
      ...word,
      description: 'Path of the workflow, such as workflows/job.md.',
    }),
    type: Type.String({
      pattern: '^[a-z0-9-]{1,64}$',
      default: 'job',
      description: 'Type of the job.',
    }),
    params: JobParams('Params of the job.'),
    labels: Type.Array(Type.String({ pattern: LABEL }), {
      maxItems: 32,
      default: [],
      description:
        'Labels that the runner must have (cloud.labels), all of them; elsewhere the schedule is off. So machines can share one file. Default: none.',
    }),
    missed: Type.Enum(['skip', 'once', 'all'], {
      default: 'once',
      description:
        'What happens to times at which the runner was not running: nothing, one job for all of them, or one job each, at most 24.',
    }),
    overlap: Type.Enum(['skip', 'queue', 'cancel'], {
      default: 'skip',
      description:
        'What happens while a job of the schedule has not ended: the time is skipped, waits for it (at most 24 do), or cancels it.',
    }),
    jitter: Type.String({
      pattern: '^\\d{1,6}[mhd]$',
      default: '0m',
      description:
        'Longest delay after the time, such as `10m`, at most 1h: each time gets its own, so that many runners do not begin at once.',
    }),
  },
  closed,
);

export const Schedules = Type.Array(Schedule, {
  maxItems: 100,
  default: [],
  description: 'Jobs that are created at times.',
});
