import Type from 'typebox';
import { MAX_INVARIANTS } from '../../base/invariants/invariant.ts';
import { FailurePolicy } from '../../contract/schema/workflow/workflow.ts';
import { closed } from '../../contract/schema/kit/schemaKit.ts';

/** Form of every status, declared ones included. */
export const STATUS_PATTERN = /^[a-z][a-z0-9-]*$/;
/** Form of a phase's name: it is part of addresses and log lines. */
export const PHASE_NAME_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

const buildTextShape = (description: string, maxLength: number) =>
  Type.String({ minLength: 1, maxLength, description });
const buildNullableTextShape = (description: string, maxLength: number) =>
  Type.Union([Type.String({ minLength: 1, maxLength }), Type.Null()], { description });
const flag = Type.Boolean({ description: 'true or false' });
const buildNameListShape = (description: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { maxItems: 50, description });
const ToolName = Type.String({ minLength: 1, maxLength: 128 });
const optional = Type.Optional;
/*
 * The front matter as authors write it. Each property's `description` finishes the sentence "must
 * be …" of the finding.
 */
export const CreateParamsFrontMatter = Type.Object(
  {
    required: optional(buildNameListShape('a list of names')),
    optional: optional(buildNameListShape('a list of names')),
  },
  closed,
);

export const CoordinatorFrontMatter = Type.Object(
  {
    enabled: flag,
    parkPhase: optional(buildNullableTextShape('the name of a phase or null', 64)),
    parkStatus: optional(buildNullableTextShape('a status or null', 64)),
    resumePhase: optional(buildNullableTextShape('the name of a phase or null', 64)),
    subRunWorkflowPath: optional(buildNullableTextShape('the path of a workflow or null', 256)),
    subRunParamsDefault: optional(
      Type.Record(Type.String(), Type.Unknown(), { description: 'a map' }),
    ),
    maxParallelSubRuns: optional(
      Type.Integer({ minimum: 1, maximum: 64, description: 'a whole number from 1 to 64' }),
    ),
    failurePolicy: optional(
      Type.Union([...FailurePolicy.anyOf], { description: 'halt-on-failure or continue' }),
    ),
    forwardSiblingInsights: optional(flag),
  },
  closed,
);

export const PhaseFrontMatter = Type.Object(
  {
    name: buildTextShape('a name of at most 64 characters', 64),
    agent: buildNullableTextShape('the path of an agent markdown file, or null', 256),
    status: buildTextShape('a status of at most 64 characters', 64),
    model: optional(buildNullableTextShape('a model alias or null', 64)),
    interactive_checkpoint: optional(flag),
    provider: optional(buildNullableTextShape('the id of an executor plugin or null', 64)),
    obligations: optional(
      Type.Union(
        [
          Type.Array(Type.String({ minLength: 1, maxLength: 500 }), { minItems: 1, maxItems: 20 }),
          Type.Null(),
        ],
        {
          description: 'a list of 1 to 20 sentences or null',
        },
      ),
    ),
    tools: optional(
      Type.Union([Type.Array(ToolName, { maxItems: 100 }), Type.Null()], {
        description: 'a list of at most 100 tool names, or null',
      }),
    ),
  },
  closed,
);

export const WorkflowFrontMatter = Type.Object(
  {
    id: optional(
      Type.String({
        pattern: '^[a-z0-9][a-z0-9-]{0,63}$',
        description: 'lowercase alphanumeric characters and hyphens',
      }),
    ),
    label: optional(buildTextShape('a text of at most 100 characters', 100)),
    description: optional(buildTextShape('a text of at most 1000 characters', 1000)),
    initial_phase: buildTextShape('the name of a phase', 64),
    initial_status: optional(buildTextShape('a status of at most 64 characters', 64)),
    phases: Type.Array(Type.Unknown(), {
      minItems: 1,
      description: 'a list of at least one phase',
    }),
    coordinator: optional(
      Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()], {
        description: 'a map or null',
      }),
    ),
    createParams: optional(
      Type.Record(Type.String(), Type.Unknown(), { description: 'a map of required and optional' }),
    ),
    budget: optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'a map such as { job: { usd: 5 } }',
      }),
    ),
    invariants: optional(
      Type.Array(Type.Unknown(), {
        maxItems: MAX_INVARIANTS,
        description: `a list of at most ${MAX_INVARIANTS} rules, such as { id: merge-approved, never: merge, unless: approved since push }`,
      }),
    ),
    writesTo: optional(
      Type.Array(Type.Unknown(), {
        description: 'a list such as [github:acme/shop#7, jira:SHOP-12]',
      }),
    ),
  },
  closed,
);

export const AgentFrontMatter = Type.Object(
  {
    name: optional(buildTextShape('a text of at most 100 characters', 100)),
    description: optional(buildTextShape('a text of at most 4000 characters', 4000)),
    command: optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 4096 }), {
        minItems: 1,
        maxItems: 64,
        description: 'a list of program and arguments',
      }),
    ),
    tools: optional(Type.Array(ToolName, { maxItems: 200, description: 'a list of tool names' })),
  },
  closed,
);
