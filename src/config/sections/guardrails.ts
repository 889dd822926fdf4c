import Type from 'typebox';
import { section, word } from './fieldSchemas.ts';

const GuardrailRule = Type.Object(
  {
    id: Type.String({ ...word, description: 'Rule that this entry changes.' }),
    enabled: Type.Optional(Type.Boolean({ description: 'Whether the rule applies.' })),
  },
  { additionalProperties: true },
);

export const Guardrails = Type.Object(
  {
    enabled: Type.Boolean({ default: true, description: 'Main switch for all rules.' }),
    rules: Type.Array(GuardrailRule, {
      maxItems: 200,
      default: [],
      description: 'Changes to rules, matched by id.',
    }),
  },
  { ...section, title: 'Rules for what agents do' },
);
