import Type from 'typebox';
import { described } from './described.ts';
import { IsoTime } from './isoTime.ts';

/** What a person is asked for: `input` is an answer to the agent, `external` a report of what happened outside svc, `budget` a raise, `open-pr` what is to become of a pull request that a job which is over has left open. */
export const Ask = Type.Union([
  Type.Literal('approval'),
  Type.Literal('input'),
  Type.Literal('external'),
  Type.Literal('halted'),
  Type.Literal('budget'),
  Type.Literal('open-pr'),
  Type.Literal('failed'),
  Type.Literal('escalated'),
]);
export type Ask = Type.Static<typeof Ask>;

/** Whether a job waits for a decision, or is over and did not do what it was made for. */
export const NeedsGroup = Type.Union([Type.Literal('decide'), Type.Literal('broken')]);
export type NeedsGroup = Type.Static<typeof NeedsGroup>;

/** That a job needs a person, and what for. Every count, filter and notification reads this. */
export const JobNeeds = described(Type.Object({ group: NeedsGroup, ask: Ask, since: IsoTime }), {
  group:
    'decide: it waits for a person, or is complete with a pull request that is still open; broken: it has failed or escalated.',
  ask: 'What the person is asked for.',
  since: 'Since when.',
});
export type JobNeeds = Type.Static<typeof JobNeeds>;
