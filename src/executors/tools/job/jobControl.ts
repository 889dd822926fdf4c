import Type from 'typebox';
import { MAX_KEPT_REASON_CHARS, MAX_PROMPT_CHARS } from '../../../base/limits/jobLimits.ts';
import { ProviderEventKind } from '../../../contract/schema/forge/pr.ts';
import { checkJobParams } from './checkJobParams.ts';
import { checkPhase, formatPhaseNames, requireUsableWorkflow } from './phases.ts';
import {
  ADDS,
  defineTool,
  createInputSchema,
  SETS,
  createTextField,
  ToolRefusal,
  type Tool,
} from '../tool.ts';
import { workItemTools } from './workItems.ts';

/**
 * Any workflow of the overlay is allowed, if it parses and has the phase: there is no allowlist
 * (TOOL-9).
 */
const switchWorkflow = defineTool({
  name: 'switch_workflow',
  title: 'Switch the workflow',
  description:
    'Continues this job with another workflow of its overlay when your turn ends. Work items, pull requests and artefacts stay. ' +
    'Any existing, valid workflow can be used; a phase beyond one of its checkpoints waits for approval first. End your turn after it.',
  input: createInputSchema({
    workflowPath: createTextField(
      'Path of the workflow in the overlay, e.g. workflows/bugfix.md.',
      256,
    ),
    toPhase: Type.Optional(
      createTextField('Phase of that workflow to begin with; default: its initial_phase.', 64),
    ),
    reason: Type.Optional(createTextField('Why, for the people who read the history.', 1_000)),
  }),
  hints: SETS,
  async run({ workflowPath, toPhase, reason }, call) {
    const workflow = await requireUsableWorkflow('switch_workflow', call.port, workflowPath);
    const phase = toPhase ?? workflow.initial_phase;
    if (!workflow.phases.some(({ name }) => name === phase)) {
      throw new ToolRefusal(
        `switch_workflow: nothing was done. ${workflowPath} has no phase "${phase}". Its phases: ${formatPhaseNames(workflow)}; initial_phase is ${workflow.initial_phase}.`,
      );
    }
    const { duplicate } = await call.send({
      type: 'tool.switch_workflow',
      workflowPath,
      workflow,
      toPhase: phase,
      reason: reason ?? '',
    });
    return {
      text: `The job continues with ${workflowPath} in phase ${phase} when this session ends. End your turn now.`,
      data: { workflowPath, toPhase: phase, duplicate },
    };
  },
});

/** Limit of the job for each line; longer text would be refused or cut there. */
const MAX_LOG_CHARS = 8_000;
const MAX_PHASE_CHARS = 64;
const MAX_EXTERNAL_CHARS = 500;
/** A single enum reports a wrong value once, with the valid ones. */
const EVENT_KINDS = ProviderEventKind.anyOf.map((kind) => kind.const);

/** Marks every line, so that the next session cannot take one for the runner's or a person's. */
const markQuotedLines = (text: string): string =>
  text
    .split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/u)
    .map((line) => `> ${line}`)
    .join('\n');

const requestNewSession = defineTool({
  name: 'request_new_session',
  title: 'Request a new session',
  description:
    'Requests a new session of this phase when your turn ends, with an empty context: use it when your context is full. ' +
    'Write what the next session must know into the prompt, then end your turn. The number of sessions of a phase visit is limited.',
  input: createInputSchema({
    prompt: Type.Optional(
      createTextField('What the next session must know and do first.', MAX_PROMPT_CHARS),
    ),
  }),
  hints: SETS,
  async run({ prompt }, call) {
    const { duplicate } = await call.send({
      type: 'tool.request_new_session',
      prompt: prompt === undefined ? null : markQuotedLines(prompt),
    });
    return {
      text: 'A new session of this phase starts when this one ends. End your turn now.',
      data: { duplicate },
    };
  },
});

const setJobParams = defineTool({
  name: 'set_job_params',
  title: 'Set parameters of the job',
  description:
    'Merges parameters into the parameters of this job, at once: a key that exists is replaced, the others stay. Later phases see them.',
  input: createInputSchema({
    params: Type.Object(
      {},
      {
        additionalProperties: true,
        minProperties: 1,
        description: 'Parameters by name; any JSON values.',
      },
    ),
  }),
  hints: SETS,
  async run({ params }, call) {
    checkJobParams('set_job_params', call.port.job().params, params);
    const { duplicate } = await call.send({ type: 'tool.set_job_params', params });
    return {
      text: `Set: ${Object.keys(params).join(', ')}.`,
      data: { keys: Object.keys(params), duplicate },
    };
  },
});

const gotoPhase = defineTool({
  name: 'goto_phase',
  title: 'Go to a phase',
  description:
    'Names the phase that follows when your turn ends, forwards or back, instead of the next one of the workflow; not past a checkpoint that ' +
    'no one has approved yet. ' +
    'It takes effect when this session ends: end your turn after it.',
  input: createInputSchema({
    phase: createTextField('Name of a phase of the workflow.', MAX_PHASE_CHARS),
    reason: Type.Optional(
      createTextField('Why, for the people who read the history.', MAX_KEPT_REASON_CHARS),
    ),
  }),
  hints: SETS,
  async run({ phase, reason }, call) {
    await checkPhase(call.port, 'phase', phase);
    const { duplicate } = await call.send({ type: 'tool.goto_phase', phase, reason: reason ?? '' });
    return {
      text: `Phase ${phase} follows when this session ends. End your turn now.`,
      data: { phase, duplicate },
    };
  },
});

const awaitEvent = defineTool({
  name: 'await_event',
  title: 'Wait for an event',
  description:
    'Parks the job when your turn ends, until something happens to one of its pull requests. A merge leads to the phase after this one, where no other ' +
    'pull request of the same work item is open (without work items: none of the job) or prId names it. Everything else leads back to this one, ' +
    'closed without a merge included. resumePhase overrides both. For something that only a person can do or report, use external: ' +
    'the job then waits visibly for a person. A parked job costs nothing: never poll. End your turn after it.',
  input: createInputSchema({
    kinds: Type.Optional(
      Type.Array(Type.Enum(EVENT_KINDS), {
        minItems: 1,
        description:
          'Kinds of event that wake the job; left out = every kind except check_passed, which must be named.',
      }),
    ),
    prId: Type.Optional(
      createTextField(
        'The pull request that matters most, <forge>:<repo>#<number>: one of this job, or one that it follows. Its merge leads to the phase after this one whatever else is open; one that is merged already wakes the job at once.',
        300,
      ),
    ),
    resumePhase: Type.Optional(
      createTextField('Phase in which the job continues, whatever the event.', MAX_PHASE_CHARS),
    ),
    external: Type.Optional(
      createTextField(
        'What a person must do or report, in one sentence, when no pull request is awaited.',
        MAX_EXTERNAL_CHARS,
      ),
    ),
  }),
  hints: SETS,
  async run({ kinds, prId, resumePhase, external }, call) {
    if (resumePhase !== undefined) await checkPhase(call.port, 'resumePhase', resumePhase);
    const { duplicate } = await call.send({
      type: 'tool.await_event',
      kinds: kinds ?? null,
      prId: prId ?? null,
      resumePhase: resumePhase ?? null,
      ...(external === undefined ? {} : { external }),
    });
    const wakes = external === undefined ? 'wakes by itself' : 'waits for a person';
    return {
      text: `The job parks when this session ends and ${wakes}. End your turn now.`,
      data: { duplicate },
    };
  },
});

const escalate = defineTool({
  name: 'escalate',
  title: 'Escalate to people',
  description:
    'Hands the job over to people: it ends as escalated when your turn ends, with your message. Use it when you cannot continue, not for a question.',
  input: createInputSchema({
    message: createTextField(
      'What is wrong, what you tried, and what a person must decide or fix.',
      MAX_KEPT_REASON_CHARS,
    ),
  }),
  hints: { ...SETS, destructiveHint: true },
  async run({ message }, call) {
    const { duplicate } = await call.send({ type: 'tool.escalate', message });
    return {
      text: 'The job is escalated when this session ends. End your turn now.',
      data: { duplicate },
    };
  },
});

const log = defineTool({
  name: 'log',
  title: 'Write to the log',
  description:
    'Writes lines to the job log that people watch: milestones and decisions, not every step.',
  input: createInputSchema({
    message: createTextField('One or more lines.', MAX_LOG_CHARS),
    tag: Type.Optional(
      Type.String({
        pattern: '^[a-z0-9-]{1,32}$',
        description: 'Short tag shown in brackets before the line.',
      }),
    ),
  }),
  hints: ADDS,
  async run({ message, tag }, call) {
    const lines = message.split(/\r?\n/).filter((line) => line.trim() !== '');
    for (const line of lines) await call.port.log(line, tag ?? null);
    return { text: 'Logged.', data: { lines: lines.length } };
  },
});

/** What agents steer their job with (TOOL-1, TOOL-9). */
export const jobControlTools: readonly Tool[] = [
  ...workItemTools,
  requestNewSession,
  setJobParams,
  gotoPhase,
  awaitEvent,
  escalate,
  log,
  switchWorkflow,
];
