import Type from 'typebox';
import { BUDGET_METRICS, BUDGET_SCOPES } from '../../../shared/spending/budgetScopes.ts';
import { describeMembers } from '../kit/describeMembers.ts';

const buildNameEnum = <const Name extends string>(names: readonly Name[]) => Type.Enum([...names]);

/** A budget that stopped a job. */
export const Exceeded = describeMembers(
  Type.Object({
    scope: buildNameEnum(BUDGET_SCOPES),
    key: Type.String(),
    window: Type.String(),
    metric: buildNameEnum(BUDGET_METRICS),
    cap: Type.Integer(),
    spent: Type.Integer(),
    by: buildNameEnum(['config', 'workflow', 'params', 'person']),
    until: Type.Union([Type.Integer(), Type.Null()]),
    text: Type.String(),
  }),
  {
    scope: 'What the budget is of.',
    key: 'Whose it is: an id or a repository; empty for day, week and runner.',
    window: 'The day or the Monday of the week; else empty.',
    metric: 'What is counted.',
    cap: 'The cap: millionths of a dollar, tokens, sessions, visits or milliseconds.',
    spent: 'What was spent, in the same unit.',
    by: 'Who has set the cap.',
    until: 'When the next window begins, epoch ms; null where it has only one.',
    text: 'All of it in words, with what to do.',
  },
);
export type Exceeded = Type.Static<typeof Exceeded>;
