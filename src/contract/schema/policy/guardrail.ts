import Type from 'typebox';
import { closed } from '../kit/schemaKit.ts';
import {
  GUARDRAIL_ACTS,
  GUARDRAIL_ID,
  GUARDRAIL_MOMENTS,
  GUARDRAIL_SEVERITIES,
  MAX_EXPRESSION_CHARS,
  MAX_GUARDRAIL_MESSAGE_CHARS,
  MAX_SCRIPT_MS,
} from '../../../base/agents/guardrails.ts';

const buildDescribedEnum = <const Name extends string>(
  names: readonly Name[],
  description: string,
) => Type.Enum([...names], { description });

const buildPatternListSchema = (description: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 255 }), { maxItems: 100, description });

/** What a person can say of a rule: all of a new one, or what changes of one of svc's own. */
const ruleSettings = {
  enabled: Type.Optional(Type.Boolean({ description: 'Whether the rule applies.' })),
  when: Type.Optional(
    buildDescribedEnum(
      GUARDRAIL_MOMENTS,
      'When it is checked. Required for a new rule; svc knows it for its own rules.',
    ),
  ),
  tools: Type.Optional(
    buildPatternListSchema('Names of tools, `*` for any part. Default: every tool.'),
  ),
  paths: Type.Optional(
    buildPatternListSchema(
      'Files that the change must touch, `*` within a folder and `**` across. Default: whatever it touches.',
    ),
  ),
  do: Type.Optional(
    buildDescribedEnum(
      GUARDRAIL_ACTS,
      'What happens when it matches. Default for a new rule: `deny`.',
    ),
  ),
  message: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: MAX_GUARDRAIL_MESSAGE_CHARS,
      description: 'The message for agent and people: what is wrong, and what to do instead.',
    }),
  ),
  severity: Type.Optional(
    buildDescribedEnum(GUARDRAIL_SEVERITIES, 'How severe it is. Default for a new rule: `medium`.'),
  ),
};

/** Highest number of a rule: files, lines and bytes. */
const MAX_LIMIT = 1_000_000_000;

/** An entry of `guardrails.rules`. */
export const GuardrailEntry = Type.Object(
  {
    id: Type.String({
      pattern: GUARDRAIL_ID,
      description: 'A rule of svc that this entry changes, or a name for a new one.',
    }),
    ...ruleSettings,
    if: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_EXPRESSION_CHARS,
        description: 'Condition in CEL. Default: it always matches. Not for rules of svc.',
      }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: MAX_LIMIT,
        description: 'The number of a rule of svc that has one.',
      }),
    ),
  },
  closed,
);
export type GuardrailEntry = Type.Static<typeof GuardrailEntry>;

/** `<id>.json` beside the script of a rule. */
export const GuardrailScript = Type.Object(
  {
    ...ruleSettings,
    when: Type.Array(Type.Enum([...GUARDRAIL_MOMENTS]), { minItems: 1, maxItems: 5 }),
    timeoutMs: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_SCRIPT_MS })),
  },
  closed,
);
export type GuardrailScript = Type.Static<typeof GuardrailScript>;
