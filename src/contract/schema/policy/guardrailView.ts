import Type from 'typebox';
import {
  DEFAULT_DECISIONS,
  GUARDRAIL_ACTS,
  GUARDRAIL_ID,
  GUARDRAIL_MOMENTS,
  GUARDRAIL_SEVERITIES,
  MAX_DECISIONS,
} from '../../../base/agents/guardrails.ts';
import { Caller } from '../runner/caller.ts';
import { describe, IsoTime, nullable, closed } from '../kit/schemaKit.ts';
import { Limit, Offset } from '../kit/page.ts';

const Texts = Type.Array(Type.String());
const Count = Type.Integer({ minimum: 0 });

/** A rule about what agents do, as it is now. */
export const GuardrailRule = Type.Object({
  id: Type.String({ description: 'Its name.' }),
  source: Type.Enum(['built-in', 'config', 'script'], {
    description: 'Whether it is one of svc, of the configuration, or a script.',
  }),
  enabled: Type.Boolean({ description: 'Whether it is asked.' }),
  when: Type.Array(Type.Enum([...GUARDRAIL_MOMENTS]), { description: 'When it is asked.' }),
  tools: nullable(Texts, 'Names of tools that it is asked about; null = every tool.'),
  paths: nullable(Texts, 'Files that a change must touch; null = whatever it touches.'),
  do: Type.Enum([...GUARDRAIL_ACTS], { description: 'What happens when it matches.' }),
  message: Type.String({ description: 'The message for agent and people.' }),
  severity: Type.Enum([...GUARDRAIL_SEVERITIES], { description: 'How bad it is.' }),
  condition: Type.String({ description: 'When it holds: an expression in CEL, or in words.' }),
  limit: nullable(Type.Integer(), 'Its number; null = it has none.'),
  problem: nullable(
    Type.String(),
    'Why its script cannot be run, so that it refuses; null = it can, or the rule has no script.',
  ),
});
export type GuardrailRule = Type.Static<typeof GuardrailRule>;

const CountedRule = Type.Object({
  ...GuardrailRule.properties,
  counts: Type.Object(
    {
      pass: describe(Count, 'How often it has let something pass, in total.'),
      deny: describe(Count, 'How often it has refused, in jobs that are kept.'),
      park: describe(Count, 'How often it made a job wait for a person.'),
      redact: describe(Count, 'How often it has removed text.'),
      note: describe(Count, 'How often it has noted something.'),
    },
    { description: 'What it has said so far.' },
  ),
  last: nullable(
    IsoTime,
    'When it last did not let something pass; null = never, or its jobs were removed.',
  ),
});

/** Reply of GET /guardrails. */
export const GuardrailList = Type.Object({
  enabled: Type.Boolean({
    description: 'The main switch, `guardrails.enabled`: while it is off, no rule is asked.',
  }),
  rules: Type.Array(CountedRule, {
    description: 'Those of svc, then those of the configuration, then scripts.',
  }),
  ignored: describe(
    Texts,
    'Files in the folder of scripts that look like a rule but are not one, and why; a sentence each, without a full stop.',
  ),
});
export type GuardrailList = Type.Static<typeof GuardrailList>;

/** What a rule did not let pass. */
export const GuardrailDecision = Type.Object({
  id: Type.String({ description: 'Its name within its job.' }),
  jobId: nullable(Type.String(), 'The job; null = it was refused before it existed.'),
  rule: Type.String({ description: 'The rule.' }),
  moment: Type.Enum([...GUARDRAIL_MOMENTS], { description: 'When it was asked.' }),
  result: Type.Enum([...GUARDRAIL_ACTS], { description: 'What the rule did.' }),
  tool: Type.String({
    description: 'The tool, or the operation of a write; empty at the end of a phase.',
  }),
  phase: Type.String({ description: 'The phase of the job.' }),
  message: Type.String({ description: 'The message that agent and people got.' }),
  at: describe(IsoTime, 'The last time.'),
  times: Type.Integer({ minimum: 1, description: 'How often it was asked about the same.' }),
  ms: describe(Count, 'How long the rule took the last time, ms.'),
  script: nullable(Type.String(), 'sha256 of the script that decided; null = no script did.'),
  allowed: nullable(
    Type.Object({ at: IsoTime, by: nullable(Caller) }),
    'When a person allowed exactly this for the job, and how they were authenticated; null = no one has.',
  ),
  anySize: Type.Optional(
    Type.Literal(true, {
      description:
        'What was allowed is any size of a change in this job. Left out = exactly one change.',
    }),
  ),
});
export type GuardrailDecision = Type.Static<typeof GuardrailDecision>;

/** Query of GET /guardrails/decisions. */
export const GuardrailDecisionsQuery = Type.Object(
  {
    job: Type.Optional(
      Type.String({ minLength: 1, maxLength: 128, description: 'Only acts of this job.' }),
    ),
    rule: Type.Optional(
      Type.String({ pattern: GUARDRAIL_ID, description: 'Only acts of this rule.' }),
    ),
    result: Type.Optional(
      Type.Enum([...GUARDRAIL_ACTS], { description: 'Only those with this result.' }),
    ),
    limit: Type.Optional(Limit(MAX_DECISIONS, DEFAULT_DECISIONS)),
    offset: Type.Optional(Offset),
  },
  closed,
);
export type GuardrailDecisionsQuery = Type.Static<typeof GuardrailDecisionsQuery>;

/** Reply of GET /guardrails/decisions, newest first. */
export const GuardrailDecisionList = Type.Array(GuardrailDecision);

/** Body of POST /jobs/:jobId/guardrails/allow. */
export const AllowBody = Type.Object(
  {
    rule: Type.String({
      pattern: GUARDRAIL_ID,
      description: 'The rule for which the job waits.',
    }),
    decision: Type.Optional(
      Type.String({
        pattern: '^[0-9a-f]{12}$',
        description:
          'Which decision of the rule, by its id. Default: the newest that no one has allowed.',
      }),
    ),
    anySize: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'Allow any size of a change in this job, and not only exactly this one. Only for large-diff, large-diff-bytes and large-diff-files.',
      }),
    ),
    resume: Type.Optional(
      Type.Boolean({
        default: true,
        description: 'Whether the job continues, where it waits for this rule.',
      }),
    ),
  },
  closed,
);
export type AllowBody = Type.Static<typeof AllowBody>;

/** Reply of POST /jobs/:jobId/guardrails/allow. */
export const AllowReply = Type.Object({
  decision: describe(GuardrailDecision, 'What passes from now on.'),
  resumed: Type.Boolean({ description: 'Whether the job continues.' }),
});
export type AllowReply = Type.Static<typeof AllowReply>;
