import Type from 'typebox';
import { BUDGET_METRICS, BUDGET_SCOPES } from '../../../base/spending/budgetScopes.ts';
import { describe } from '../kit/schemaKit.ts';

const buildNameEnum = <const Name extends string>(names: readonly Name[]) => Type.Enum([...names]);

/** A budget that stopped a job. */
export const Exceeded = Type.Object({
  scope: describe(buildNameEnum(BUDGET_SCOPES), 'What the budget is of.'),
  key: Type.String({
    description: 'Whose it is: an id or a repository; empty for day, week and runner.',
  }),
  window: Type.String({ description: 'The day or the Monday of the week; else empty.' }),
  metric: describe(buildNameEnum(BUDGET_METRICS), 'What is counted.'),
  cap: Type.Integer({
    description: 'The cap: millionths of a dollar, tokens, sessions, visits or milliseconds.',
  }),
  spent: Type.Integer({ description: 'What was spent, in the same unit.' }),
  by: describe(buildNameEnum(['config', 'workflow', 'params', 'person']), 'Who has set the cap.'),
  until: Type.Union([Type.Integer(), Type.Null()], {
    description: 'When the next window begins, epoch ms; null where it has only one.',
  }),
  text: Type.String({ description: 'All of it in words, with what to do.' }),
});
export type Exceeded = Type.Static<typeof Exceeded>;
