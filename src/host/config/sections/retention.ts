import Type from 'typebox';
import { DEFAULT_RETENTION, type RetentionKind } from '../../../base/settings/retention.ts';
import { section } from './fieldSchemas.ts';

/** Ten years: no one needs more. */
const MOST_DAYS = 3650;
/** One PiB. */
const MOST_MB = 1_073_741_824;

const createRetentionRuleSchema = (kind: RetentionKind, description: string, of: string) => {
  const { afterDays, maxMb } = DEFAULT_RETENTION[kind];
  return Type.Object(
    {
      afterDays: Type.Integer({
        minimum: 0,
        maximum: MOST_DAYS,
        default: afterDays,
        description: `Days after ${of}; 0 = never because of age.`,
      }),
      maxMb: Type.Integer({
        minimum: 0,
        maximum: MOST_MB,
        default: maxMb,
        description: 'Total size in MiB above which the oldest is removed first; 0 = no limit.',
      }),
    },
    { ...section, description },
  );
};

const Every = Type.String({
  pattern: '^[0-9]{1,6}[mhd]$',
  title: 'a duration from 10m to 365d in double quotes',
  examples: ['24h', '7d'],
});
const END = 'the end of the job';

export const Retention = Type.Object(
  {
    every: Type.Union([Every, Type.Null()], {
      default: null,
      description:
        'How often the runner cleans up by itself, such as 24h, 90m or 7d; from 10m to 365d. null = only on svc gc.',
    }),
    checkouts: createRetentionRuleSchema(
      'checkouts',
      'Folders of jobs: checkout, overlay, HOME and TMPDIR of the agents. What is not pushed is saved first.',
      END,
    ),
    logs: createRetentionRuleSchema(
      'logs',
      'Journal and log of jobs, which move from state.db into a compressed file; svc logs and the dashboard read them as before.',
      END,
    ),
    archives: createRetentionRuleSchema(
      'archives',
      'These compressed files. They are removed for good, and the log with them.',
      END,
    ),
    artefacts: createRetentionRuleSchema(
      'artefacts',
      'Contents of artefacts. Their names stay, and say when the content was removed.',
      END,
    ),
    mirrors: createRetentionRuleSchema(
      'mirrors',
      'Mirrors of remote repositories, which are fetched again when a job needs them. One that holds work that the remote does not have stays.',
      'the last use',
    ),
  },
  {
    ...section,
    title: 'Retention of finished jobs',
    description: 'Jobs that have not ended keep everything. svc gc does the same on request.',
  },
);
