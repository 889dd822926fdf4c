import Type from 'typebox';
import { describe, IsoTime } from '../kit/schemaKit.ts';

/** What a person is asked for: `review` is a review or a merge of an open pull request, `input` an answer to the agent, `external` a report of what happened outside svc, `budget` a raise, `open-pr` what is to become of a pull request that a job which is over has left open. */
export const Ask = Type.Union([
  Type.Literal('approval'),
  Type.Literal('input'),
  Type.Literal('external'),
  Type.Literal('halted'),
  Type.Literal('budget'),
  Type.Literal('review'),
  Type.Literal('open-pr'),
  Type.Literal('failed'),
  Type.Literal('escalated'),
]);
export type Ask = Type.Static<typeof Ask>;

/** Whether a job waits for a decision, waits for a review, or is over and did not do what it was made for. */
export const NeedsGroup = Type.Union([
  Type.Literal('decide'),
  Type.Literal('review'),
  Type.Literal('broken'),
]);
export type NeedsGroup = Type.Static<typeof NeedsGroup>;

const Count = Type.Integer({ minimum: 0 });
/** How many jobs, and proposals, need a person. */
export const NeedsCounts = Type.Object({
  me: describe(Count, 'Jobs that need a person: those of the three groups.'),
  decide: describe(Count, 'Jobs that wait for a decision.'),
  review: describe(Count, 'Jobs that wait for a review or the merge of a pull request.'),
  broken: describe(Count, 'Jobs that failed or escalated.'),
  snoozed: describe(
    Count,
    'Jobs that are snoozed: they are in none of the groups until their time.',
  ),
  proposals: describe(
    Count,
    'Proposals that wait to be approved, applied or rejected, whatever the jobs are filtered by.',
  ),
});
export type NeedsCounts = Type.Static<typeof NeedsCounts>;

/** That a job needs a person, and what for. Every count, filter and notification reads this. */
export const JobNeeds = Type.Object({
  group: describe(
    NeedsGroup,
    'decide: it waits for a person, or is complete with a pull request that is still open; review: it waits for what only a person does to its pull request, a review or the merge; broken: it has failed or escalated.',
  ),
  ask: describe(Ask, 'What the person is asked for.'),
  since: describe(IsoTime, 'Since when.'),
  prIds: Type.Optional(
    Type.Array(Type.String(), {
      description: 'Its open pull requests; left out unless `ask` is review.',
    }),
  ),
});
export type JobNeeds = Type.Static<typeof JobNeeds>;

/** That a person has put off what a job needs one for. */
export const Snoozed = Type.Object({
  until: describe(IsoTime, 'When it needs a person again. A change of the job ends it before.'),
  ask: describe(Ask, 'What the person is asked for then.'),
});
export type Snoozed = Type.Static<typeof Snoozed>;
