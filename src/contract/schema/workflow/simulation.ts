import Type from 'typebox';
import { closed } from '../kit/schemaKit.ts';
import { MAX_PARSED_BYTES } from '../../../base/limits/inputLimits.ts';
import { MAX_INTELLIGENCE_CHARS } from './intelligence.ts';

/** Body of POST /workflows/simulate. Nothing is written, and nothing but the chart runs. */
export const SimulateBody = Type.Object(
  {
    path: Type.String({
      minLength: 1,
      maxLength: 512,
      description: 'Path of the workflow in the overlay.',
    }),
    text: Type.String({ maxLength: MAX_INTELLIGENCE_CHARS, description: 'Text of the workflow.' }),
    script: Type.Optional(
      Type.String({
        maxLength: MAX_PARSED_BYTES,
        description:
          'YAML list of steps, as `svc workflow simulate --script` reads it; default: none.',
      }),
    ),
    repo: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 256,
        description: 'With the layer of this repository around it; default: base and tenant.',
      }),
    ),
  },
  closed,
);
export type SimulateBody = Type.Static<typeof SimulateBody>;

const SimulatedMoment = Type.Object({
  at: Type.Integer({ description: 'Since the job was made, ms of simulated time.' }),
  event: Type.String({ description: 'What happened.' }),
  by: Type.String({ description: 'Who sent it.' }),
  state: Type.String({ description: 'State of the job after it.' }),
  status: Type.String({ description: 'Its status.' }),
  phase: Type.String({ description: 'Its phase.' }),
  visit: Type.Integer({ description: 'Number of the visit of the phase.' }),
  log: Type.Array(Type.String(), { description: "Lines of the job's log." }),
});

/** Reply of POST /workflows/simulate. */
export const SimulationReply = Type.Object({
  outcome: Type.String({
    description:
      'complete, failed, escalated or cancelled; rests: it waits for a decision; stopped: by the script; endless: it repeats without end.',
  }),
  state: Type.String({ description: 'State of the job at the end.' }),
  status: Type.String({ description: 'Its status.' }),
  phase: Type.String({ description: 'Its phase.' }),
  waitsFor: Type.Array(Type.String(), {
    description: 'What it waits for, where it has not ended.',
  }),
  message: Type.Union([Type.String(), Type.Null()], {
    description: 'Why it failed, or what the agent escalated; null = nothing was said.',
  }),
  took: Type.Integer({ description: 'Simulated time, ms.' }),
  timeline: Type.Array(SimulatedMoment, { description: 'Everything that happened.' }),
  coverage: Type.Array(
    Type.Object({ phase: Type.String(), visits: Type.Integer(), reached: Type.Boolean() }),
    { description: 'Each phase: how often its work began, and whether the job ever showed it.' },
  ),
  failures: Type.Array(
    Type.Object({ line: Type.Integer(), column: Type.Integer(), message: Type.String() }),
    {
      description:
        'Steps that were not possible and expectations that were not true, by their place.',
    },
  ),
  broken: Type.Boolean({
    description: 'Whether the workflow has errors; it was played as far as it can be read.',
  }),
});
export type SimulationReply = Type.Static<typeof SimulationReply>;
