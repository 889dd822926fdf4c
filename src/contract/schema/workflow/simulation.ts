import Type from 'typebox';
import { MAX_PARSED_BYTES } from '../../../shared/limits/fileLimits.ts';
import { describeMembers } from '../kit/describeMembers.ts';
import { MAX_INTELLIGENCE_CHARS } from './intelligence.ts';

/** Body of POST /workflows/simulate. Nothing is written, and nothing but the chart runs. */
export const SimulateBody = describeMembers(
  Type.Object(
    {
      path: Type.String({ minLength: 1, maxLength: 512 }),
      text: Type.String({ maxLength: MAX_INTELLIGENCE_CHARS }),
      script: Type.Optional(Type.String({ maxLength: MAX_PARSED_BYTES })),
      repo: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
    },
    { additionalProperties: false },
  ),
  {
    path: 'Path of the workflow in the overlay.',
    text: 'Text of the workflow.',
    script: 'YAML list of steps, as `svc workflow simulate --script` reads it; default: none.',
    repo: 'With the layer of this repository around it; default: base and tenant.',
  },
);
export type SimulateBody = Type.Static<typeof SimulateBody>;

const SimulatedMoment = describeMembers(
  Type.Object({
    at: Type.Integer(),
    event: Type.String(),
    by: Type.String(),
    state: Type.String(),
    status: Type.String(),
    phase: Type.String(),
    visit: Type.Integer(),
    log: Type.Array(Type.String()),
  }),
  {
    at: 'Since the job was made, ms of simulated time.',
    event: 'What happened.',
    by: 'Who sent it.',
    state: 'State of the job after it.',
    status: 'Its status.',
    phase: 'Its phase.',
    visit: 'Number of the visit of the phase.',
    log: "Lines of the job's log.",
  },
);

/** Reply of POST /workflows/simulate. */
export const SimulationReply = describeMembers(
  Type.Object({
    outcome: Type.String(),
    state: Type.String(),
    status: Type.String(),
    phase: Type.String(),
    waitsFor: Type.Array(Type.String()),
    message: Type.Union([Type.String(), Type.Null()]),
    took: Type.Integer(),
    timeline: Type.Array(SimulatedMoment),
    coverage: Type.Array(
      Type.Object({ phase: Type.String(), visits: Type.Integer(), reached: Type.Boolean() }),
    ),
    failures: Type.Array(
      Type.Object({ line: Type.Integer(), column: Type.Integer(), message: Type.String() }),
    ),
    broken: Type.Boolean(),
  }),
  {
    outcome:
      'complete, failed, escalated or cancelled; rests: waits for a decision; stopped: by the script; endless: it repeats without end.',
    state: 'State of the job at the end.',
    status: 'Its status.',
    phase: 'Its phase.',
    waitsFor: 'What it waits for, where it has not ended.',
    message: 'Why it failed, or what the agent escalated; null = nothing was said.',
    took: 'Simulated time, ms.',
    timeline: 'Everything that happened.',
    coverage: 'Each phase: how often its work began, and whether the job ever showed it.',
    failures: 'Steps that were not possible and expectations that were not true, by their place.',
    broken: 'Whether the workflow has errors; it was played as far as it can be read.',
  },
);
export type SimulationReply = Type.Static<typeof SimulationReply>;
