import Type from 'typebox';
import { MAX_PHASES } from '../../base/limits/jobLimits.ts';
import { RESERVED_STATUSES } from './statusRule.ts';
import {
  AgentFrontMatter,
  CoordinatorFrontMatter,
  CreateParamsFrontMatter,
  PHASE_NAME_PATTERN,
  PhaseFrontMatter,
  STATUS_PATTERN,
  WorkflowFrontMatter,
} from './workflowShape.ts';

/** A sentence about each key, which editors show. */
const MEANINGS: Readonly<Record<string, string>> = {
  id: 'Name for lanes and lists; default: the name of the file.',
  label: 'Display name of the workflow.',
  description: 'Its purpose, in one sentence.',
  initial_phase: 'The phase in which a job begins.',
  initial_status: 'The status that a job shows in its first phase; default: that of the phase.',
  phases:
    'The phases in order: each leads to the next, the last one through the completion gate to the end.',
  coordinator: 'For workflows that split their work into sub-runs.',
  createParams: 'The parameters that a person enters to start a job.',
  invariants: 'Rules about what must never happen in its jobs.',
  writesTo:
    'Repositories, pull requests and tickets outside the job that its agents may comment on.',
  name: 'Its name: goto_phase, coordinator and addresses use it.',
  agent:
    'The markdown file that tells the agent of this phase what to do; null = no session, the phase waits or is passed.',
  status: 'The status that the job shows in this phase.',
  model: 'The model alias, such as planning or coding; default: that of the executor.',
  interactive_checkpoint: 'At the end of the phase a developer approves before the job continues.',
  provider:
    'The executor that runs the phase; default: that of the alias, else llm.defaultProvider.',
  obligations:
    'What the phase must comply with, instead of the default obligations of the decision layer.',
  tools:
    'The only tools that the agent has; default: all but those that merge. scm_<verb> and tracker_<verb> are the verbs of the job’s own forge and tracker, mcp__* is every external server.',
  command:
    'Program and arguments to run instead of a model; {layer}, {job} and {checkout} are filled in.',
  enabled: 'Whether jobs of this workflow may have sub-runs.',
  parkPhase: 'The phase in which the parent waits for its sub-runs; it has agent: null.',
  parkStatus: 'The status that it shows meanwhile.',
  resumePhase: 'The phase in which the parent continues when every sub-run has ended.',
  subRunWorkflowPath: 'The workflow of the sub-runs.',
  subRunParamsDefault: 'Parameters given to every sub-run.',
  maxParallelSubRuns: 'How many sub-runs run at once; default 1.',
  failurePolicy:
    'After a failed sub-run: halt until a person decides (the default), or continue without those that depend on it.',
  forwardSiblingInsights:
    'Whether what a sub-run has learned is given to those that begin after it.',
  required: 'Parameters that a job requires.',
  optional: 'Optional parameters.',
};

/** Keys with another meaning in an agent's file. */
const OF_AGENTS: Readonly<Record<string, string>> = {
  ...MEANINGS,
  name: 'Display name of the agent; default: the name of the file.',
  description: 'What the agent does, in one sentence.',
  tools: 'The only tools that the agent has, in every phase that names it; default: all.',
};

/** Puts a sentence about each key before the description of its value. */
function addKeyMeanings(
  schema: Type.TObject,
  replacements: Record<string, Type.TSchema> = {},
  meanings: Readonly<Record<string, string>> = MEANINGS,
): Type.TObject {
  const properties = Object.entries({ ...schema.properties, ...replacements }).map(
    ([key, part]) => {
      const shape: unknown = Reflect.get(schema.properties[key] ?? {}, 'description');
      const description = [meanings[key], typeof shape === 'string' ? `Must be ${shape}.` : '']
        .filter(Boolean)
        .join(' ');
      return [key, { ...part, description }];
    },
  );
  return { ...schema, properties: Object.fromEntries(properties) };
}

/** The schema of every status. `initial_status` may be `queued`, as the job is. */
const buildStatusSchema = (free: readonly string[] = []) => ({
  ...PhaseFrontMatter.properties.status,
  pattern: STATUS_PATTERN.source,
  not: { enum: RESERVED_STATUSES.filter((one) => !free.includes(one)) },
});

const Phase = addKeyMeanings(PhaseFrontMatter, {
  name: { ...PhaseFrontMatter.properties.name, pattern: PHASE_NAME_PATTERN.source },
  status: buildStatusSchema(),
});

const NEEDED = ['parkPhase', 'resumePhase', 'subRunWorkflowPath'];

/** Members that an enabled coordinator requires. */
const Coordinator = {
  ...addKeyMeanings(CoordinatorFrontMatter),
  if: { type: 'object', properties: { enabled: { const: true } }, required: ['enabled'] },
  // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema; a schema is never awaited
  then: {
    type: 'object',
    properties: Object.fromEntries(
      NEEDED.map((key) => [key, { type: 'string', description: MEANINGS[key] }]),
    ),
    required: NEEDED,
  },
};

const Workflow = addKeyMeanings(WorkflowFrontMatter, {
  initial_status: buildStatusSchema(['queued']),
  phases: Type.Array(Phase, { minItems: 1, maxItems: MAX_PHASES, uniqueItems: true }),
  coordinator: Type.Union([Coordinator, Type.Null()]),
  createParams: addKeyMeanings(CreateParamsFrontMatter),
});

const DRAFT = 'http://json-schema.org/draft-07/schema#';

/**
 * JSON Schema (draft 7, which editors support best) of a workflow's or agent's front matter. It
 * covers the shape of one file; the linter checks the rest: unique names, which no schema can
 * express, other files, the configuration and the order of phases.
 */
export const buildEditorSchema = (kind: 'workflow' | 'agent'): Record<string, unknown> => ({
  $schema: DRAFT,
  title: `Front matter of an svc ${kind}`,
  ...(kind === 'workflow' ? Workflow : addKeyMeanings(AgentFrontMatter, {}, OF_AGENTS)),
});
