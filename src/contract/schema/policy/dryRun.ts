import Type from 'typebox';
import {
  DEFAULT_DRY_RUN_JOBS,
  GUARDRAIL_ACTS,
  GUARDRAIL_ID,
  GUARDRAIL_MOMENTS,
  MAX_DRY_RUN_JOBS,
} from '../../../base/agents/guardrails.ts';
import { describe, IsoTime, nullable, closed } from '../kit/schemaKit.ts';
import { GuardrailEntry } from './guardrail.ts';
import { GuardrailRule } from './guardrailView.ts';

const Count = Type.Integer({ minimum: 0 });
const buildBoundedTextSchema = (description: string, maxLength = 256) =>
  Type.String({ maxLength, description });

const DryRunQuestion = Type.Object(
  {
    moment: Type.Optional(
      Type.Enum([...GUARDRAIL_MOMENTS], {
        description: 'When the rule is checked. Default: the first moment of the rule.',
      }),
    ),
    tool: Type.Optional(
      buildBoundedTextSchema(
        'Tool name, or the operation of a write. Default: the first that the rule names, else none.',
      ),
    ),
    args: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { description: 'Its arguments. Default: none.' }),
    ),
    paths: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 1024 }), {
        maxItems: 1000,
        description: 'Files that the change touches. Default: there is no change.',
      }),
    ),
    lines: Type.Optional(
      Type.Integer({ minimum: 0, description: 'Lines that it adds and removes. Default: 0.' }),
    ),
    added: Type.Optional(
      buildBoundedTextSchema('A text that it adds to the first of the files.', 65_536),
    ),
    job: Type.Optional(
      buildBoundedTextSchema('A job whose facts the rules see. Default: an empty job.'),
    ),
    phase: Type.Optional(buildBoundedTextSchema('Its phase. Default: none.')),
  },
  { ...closed, description: 'One made-up question. Default: none is asked.' },
);
export type DryRunQuestion = Type.Static<typeof DryRunQuestion>;

const History = Type.Object(
  {
    job: Type.Optional(buildBoundedTextSchema('Only this job. Default: all.', 128)),
    jobs: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_DRY_RUN_JOBS,
        default: DEFAULT_DRY_RUN_JOBS,
        description: 'Maximum number of jobs to read, most recent first.',
      }),
    ),
  },
  { ...closed, description: 'The journals of jobs. Default: none is read.' },
);

/** Body of POST /guardrails/dry-run: a rule, and what it is asked about. */
export const DryRunBody = Type.Object(
  {
    rule: Type.Optional(
      Type.String({ pattern: GUARDRAIL_ID, description: 'A rule that exists, by its id.' }),
    ),
    candidate: Type.Optional(GuardrailEntry),
    asked: Type.Optional(DryRunQuestion),
    history: Type.Optional(History),
  },
  closed,
);
export type DryRunBody = Type.Static<typeof DryRunBody>;

const Result = Type.Enum(['pass', ...GUARDRAIL_ACTS]);

/** Something of a journal that a rule would not have let pass. */
export const DryRunFinding = Type.Object({
  jobId: Type.String({ description: 'The job.' }),
  at: describe(IsoTime, 'When it was.'),
  seq: nullable(
    Type.Integer(),
    'Its line of the journal; 0 = its beginning; null = the rule did stop it then, so that the journal has no line.',
  ),
  moment: Type.Enum([...GUARDRAIL_MOMENTS], {
    description: 'When the rule would have been asked.',
  }),
  tool: Type.String({
    description: 'The tool or the operation of a write; empty at the end of a phase.',
  }),
  phase: Type.String({ description: 'The phase of the job.' }),
  result: Type.Enum([...GUARDRAIL_ACTS], { description: 'What the rule would have done.' }),
  message: Type.String({ description: 'The message that agent and people would have got.' }),
});
export type DryRunFinding = Type.Static<typeof DryRunFinding>;

export const DryRunHistory = Type.Object({
  text: Type.String({
    description: 'The result in one sentence, such as `Would have stopped 3 of 212 jobs.`',
  }),
  jobs: describe(Count, 'Jobs whose journal was read.'),
  stopped: describe(
    Count,
    'Jobs in which it would have refused something, or made them wait for a person.',
  ),
  noted: describe(Count, 'Other jobs, in which it would have noted something or removed a text.'),
  questions: describe(Count, 'What it was asked about in all.'),
  withoutContent: describe(
    Count,
    'Pushes that it could not check: it depends on the content of a branch, which no journal has.',
  ),
  found: Type.Array(DryRunFinding, {
    description:
      'What it would have stopped or changed: the first 200, those of the newest job first.',
  }),
  foundInAll: describe(Count, 'How many there are.'),
  cutBy: nullable(
    Type.Enum(['time', 'rows', 'scripts']),
    'Why not all jobs were read: 20 s, 200,000 lines of journals, or 200 runs of a script; null = all were.',
  ),
  notKnown: Type.Array(Type.String(), { description: 'What journals do not show, in sentences.' }),
});
export type DryRunHistory = Type.Static<typeof DryRunHistory>;

/** Reply of POST /guardrails/dry-run. */
export const DryRunReply = Type.Object({
  rule: describe(GuardrailRule, 'The rule that was tried.'),
  asked: nullable(
    Type.Object({
      isAsked: Type.Boolean({ description: 'Whether the rule is asked about this at all.' }),
      result: describe(Result, 'What it does.'),
      message: Type.String({
        description: 'The message for agent and people; empty where it passes.',
      }),
    }),
    'What it says of the made-up question; null = none was asked.',
  ),
  history: nullable(
    DryRunHistory,
    'What it would have done to jobs; null = that was not asked for.',
  ),
});
export type DryRunReply = Type.Static<typeof DryRunReply>;
