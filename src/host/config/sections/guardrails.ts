import Type from 'typebox';
import { MAX_GUARDRAIL_RULES } from '../../../base/agents/guardrails.ts';
import { GuardrailEntry } from '../../../contract/schema/policy/guardrail.ts';
import { section } from './fieldSchemas.ts';

export const Guardrails = Type.Object(
  {
    enabled: Type.Boolean({
      default: true,
      description:
        'Main switch for rules and scripts. What svc refuses by itself stays: approvals, the merge guard, invariants, budgets and the search for secrets.',
    }),
    rules: Type.Array(GuardrailEntry, {
      maxItems: MAX_GUARDRAIL_RULES,
      default: [],
      description: 'Changes to rules of svc, matched by id, and rules of your own.',
    }),
  },
  { ...section, title: 'Rules for what agents do' },
);
