import type { PhaseModel, Settings } from '../../schema/settings.ts';
import type { PhaseDefinition } from '../../schema/workflow.ts';
import { MAX_PHASES } from '../../domain/jobLimits.ts';
import { closestName, didYouMean } from '../../lib/closestName.ts';
import type { Findings } from './findings.ts';
import type { KeyPath, Positions } from './positions.ts';
import { executorOf, isKnownProvider, phaseModel } from './phaseModel.ts';
import { shapeCheck } from './shapeCheck.ts';
import { PHASE_NAME_PATTERN, PhaseFrontMatter, STATUS_PATTERN } from './workflowShape.ts';

/** Who can run phases. */
export interface PhaseExecutors {
  /** What may be written as a provider, as `providersOf` says it. */
  ids: readonly string[];
  /** The settings that choose among them. */
  llm: Settings['llm'];
  /**
   * Why nobody could run an agent with this program (null = without one) so, as a clause; null =
   * nothing is known against it. Default: null.
   */
  lacks?(model: PhaseModel, command: readonly string[] | null): string | null;
}

/** What a workflow is checked against besides itself. A part that is left out is not checked. */
export interface WorkflowContext {
  /** Whether the overlay has this agent markdown. */
  hasAgent?: (path: string) => boolean;
  /** Paths to offer where an agent is missing. */
  agents?: readonly string[];
  /** The text of an agent's file, which may lead to other phases; null = there is no such file. */
  agentText?: (path: string) => string | null;
  /** Paths of the workflows of the overlay. */
  workflows?: readonly string[];
  /** Names of the configured model aliases. */
  aliases?: readonly string[];
  /** Who can run a phase. */
  executors?: PhaseExecutors;
  /**
   * What an agent's file declares as its program; null = nothing, undefined = the file is not there
   * or has mistakes.
   */
  agentCommand?: (path: string) => readonly string[] | null | undefined;
  /** What to say of a name that no tool has; null = there is such a tool. */
  unknownTool?: (name: string) => string | null;
  /** False for a workflow of a repository that nobody has trusted as it is now; default true. */
  trusted?: boolean;
}

const checkPhaseShape = shapeCheck(PhaseFrontMatter, {
  agent:
    'Write the path of an agent such as agents/coder.md, or agent: null for a phase without a session.',
  status: 'Write the status that the job shows in this phase, such as coding.',
  checkpoint: 'Did you mean interactive_checkpoint?',
  command: 'Commands are declared in the front matter of the agent.',
});

/**
 * Statuses by which the runner, and everybody who filters jobs, tells what a job waits for or how
 * it has ended, with what to write instead.
 */
const RESERVED: Readonly<Record<string, string>> = {
  queued: 'Write what the job does in this phase, such as coding.',
  complete: 'Write what the job does in this phase, such as reporting.',
  failed: 'Write what the job does in this phase, such as repairing.',
  escalated: 'Write what the job does in this phase, such as reviewing.',
  cancelled: 'Write what the job does in this phase, such as cleaning-up.',
  'awaiting-children':
    'Write awaiting-sub-runs: the older name is read as that one, so no filter would find it.',
};

/**
 * Statuses that svc shows for a job that waits for a person, or that read like an end: on a phase
 * in which an agent works they mislead.
 */
const MISLEADING: Readonly<Record<string, string>> = {
  'awaiting-plan-approval':
    'Write status: planning and interactive_checkpoint: true; svc shows awaiting-plan-approval while the job waits.',
  'awaiting-developer-input':
    'Write what the agent does, such as reviewing; svc shows awaiting-developer-input when the job needs a person.',
  paused: 'Write what the agent does, such as coding. A job is paused by a person.',
  archived: 'Write what the agent does, such as reporting.',
};

/**
 * Shared by every key that holds a status. `initial_status` may be `queued`: the job is. `works`:
 * an agent runs while it is shown.
 */
export function checkStatus(
  status: string,
  path: KeyPath,
  positions: Positions,
  findings: Findings,
  works = false,
): void {
  if (works && Object.hasOwn(MISLEADING, status)) {
    const message = `The status ${status} is shown for jobs that wait or are over, but an agent works in this phase.`;
    findings.warning('reserved-status', positions.value(path), message, MISLEADING[status] ?? '');
    return;
  }
  if (Object.hasOwn(RESERVED, status) && !(status === 'queued' && path[0] === 'initial_status')) {
    const message = `The status ${status} has a meaning of its own: a job in this phase would be taken for one that it is not.`;
    findings.error('reserved-status', positions.value(path), message, RESERVED[status] ?? '');
    return;
  }
  if (STATUS_PATTERN.test(status)) return;
  const near = status
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+|-+$/g, '');
  const message = `The status ${JSON.stringify(status)} is not lower-case letters, digits and hyphens.`;
  findings.error(
    'bad-status',
    positions.value(path),
    message,
    near ? `Write ${near}.` : 'Write a status such as coding.',
  );
}

function checkAlias(
  alias: string,
  path: KeyPath,
  context: WorkflowContext,
  positions: Positions,
  findings: Findings,
): void {
  if (!context.aliases || context.aliases.includes(alias)) return;
  const none = context.aliases.length === 0;
  const report = none ? findings.warning : findings.error;
  const hint = none
    ? 'Add llm.aliases to the configuration; without it the executor takes its default model.'
    : didYouMean(alias, context.aliases);
  report(
    'unknown-alias',
    positions.value(path),
    `The model alias ${alias} is not configured.`,
    hint,
  );
}

/** What is wrong with a provider that nobody knows: who chose it stands in the middle. */
const unknownProvider = (provider: string, known: readonly string[], chooser = ''): string => {
  const executor = executorOf(provider);
  return known.includes(executor)
    ? `The executor ${executor} knows no ${provider.slice(executor.length + 1) || 'agent without a name'}${chooser}.`
    : `The executor ${provider}${chooser}${chooser && ','} is not installed.`;
};

/**
 * Points at what chose the executor: the phase itself, its alias, or where neither says anything
 * the agent.
 */
function checkExecutor(
  {
    provider,
    model,
    agent,
  }: { provider?: string | null; model?: string | null; agent?: string | null },
  path: KeyPath,
  { executors }: WorkflowContext,
  positions: Positions,
  findings: Findings,
): void {
  if (!executors) return;
  const { ids, llm } = executors;
  if (typeof provider === 'string') {
    if (isKnownProvider(provider, ids)) return;
    const place = positions.value([...path, 'provider']);
    findings.error(
      'unknown-provider',
      place,
      unknownProvider(provider, ids),
      didYouMean(provider, ids),
    );
    return;
  }
  const aliased = typeof model === 'string';
  // An alias that is not configured is a finding of its own; a phase without agent runs nothing.
  if (aliased ? !Object.hasOwn(llm.aliases, model) : typeof agent !== 'string') return;
  const { provider: chosen } = phaseModel(llm, { provider: null, model: model ?? null });
  if (isKnownProvider(chosen, ids)) return;
  const chooser = aliased
    ? `, which the model alias ${model} names`
    : ', which llm.defaultProvider names';
  findings.error(
    'unknown-provider',
    positions.value([...path, aliased ? 'model' : 'agent']),
    unknownProvider(chosen, ids, chooser),
    ids.includes(executorOf(chosen))
      ? `Mend llm in config.json. ${didYouMean(chosen, ids)}`
      : `Install it (svc plugin install), or mend llm in config.json. ${didYouMean(chosen, ids)}`,
  );
}

/** The executor is known, but could not start a session of this agent. */
function checkCanRun(
  phase: { provider?: string | null; model?: string | null; agent?: string | null },
  path: KeyPath,
  { executors, agentCommand }: WorkflowContext,
  positions: Positions,
  findings: Findings,
): void {
  const { agent, provider = null, model = null } = phase;
  const command = typeof agent === 'string' ? agentCommand?.(agent) : undefined;
  if (!executors?.lacks || command === undefined) return;
  const chosen = phaseModel(executors.llm, { provider, model });
  if (!isKnownProvider(chosen.provider, executors.ids)) return;
  const why = executors.lacks(chosen, command);
  if (why === null) return;
  findings.warning(
    'agent-without-executor',
    positions.value([...path, 'agent']),
    `Nobody can run ${agent}: the phase runs on ${chosen.provider}, but ${why}.`,
    command === null
      ? 'Configure an agent (svc doctor names the command), or give the agent a `command:`.'
      : 'Change the configuration (svc doctor names the command).',
  );
}

/** Shared by phases and agents. A misspelt name would take a tool away without a word. */
export function checkTools(
  tools: readonly string[],
  path: KeyPath,
  { unknownTool }: Pick<WorkflowContext, 'unknownTool'>,
  positions: Positions,
  findings: Findings,
): void {
  for (const [index, name] of tools.entries()) {
    const hint = unknownTool?.(name) ?? null;
    if (hint !== null)
      findings.error(
        'unknown-tool',
        positions.value([...path, index]),
        `There is no tool ${name}.`,
        hint,
      );
  }
}

/** Path of an agent's file: what stands in other folders is read in other ways. */
const AGENT_PATH = /^(?:.+\/)?agents\/.+\.md$/;

function checkAgent(
  agent: string,
  path: KeyPath,
  context: WorkflowContext,
  positions: Positions,
  findings: Findings,
): void {
  const place = positions.value([...path, 'agent']);
  if (!AGENT_PATH.test(agent)) {
    const message = `${agent} is not the path of an agent.`;
    const near = closestName(agent, context.agents ?? []);
    const hint = near
      ? `Did you mean ${near}?`
      : 'Write the path of a markdown file below agents/, such as agents/coder.md.';
    findings.error('not-an-agent', place, message, hint);
  } else if (context.hasAgent && !context.hasAgent(agent)) {
    const hint = context.agents
      ? didYouMean(agent, context.agents)
      : 'Write the file or mend the path.';
    findings.error('missing-agent', place, `The agent ${agent} is in no layer.`, hint);
  }
}

/** Keys that are about a session. */
const OF_SESSIONS = ['model', 'provider', 'obligations', 'tools'] as const;

/** The phases of a file that can be used, each with its place in the list. */
export interface ReadPhases {
  phases: { index: number; phase: PhaseDefinition }[];
  /**
   * Whether the name and the agent of every phase could be read, so that it is known how they
   * follow each other.
   */
  whole: boolean;
}

/** Reads the list of phases; those that cannot be used are left out and reported. */
export function readPhases(
  value: readonly unknown[],
  context: WorkflowContext,
  positions: Positions,
  findings: Findings,
): ReadPhases {
  if (value.length > MAX_PHASES) {
    const message = `There are ${value.length} phases; a job can carry ${MAX_PHASES}.`;
    findings.error(
      'too-many-phases',
      positions.value(['phases', MAX_PHASES]),
      message,
      'Split the workflow and switch with switch_workflow.',
    );
    return { phases: [], whole: false };
  }
  const phases: ReadPhases['phases'] = [];
  let whole = true;
  for (const [index, item] of value.entries()) {
    const path = ['phases', index];
    const phase = checkPhaseShape(item, path, positions, findings);
    if (!phase) {
      whole = false;
      continue;
    }
    const { name, agent, status, model, tools } = phase;
    if (status !== undefined)
      checkStatus(status, [...path, 'status'], positions, findings, typeof agent === 'string');
    if (typeof model === 'string')
      checkAlias(model, [...path, 'model'], context, positions, findings);
    checkExecutor(phase, path, context, positions, findings);
    checkCanRun(phase, path, context, positions, findings);
    if (tools) checkTools(tools, [...path, 'tools'], context, positions, findings);
    if (typeof agent === 'string') checkAgent(agent, path, context, positions, findings);
    for (const key of agent === null ? OF_SESSIONS : []) {
      if (phase[key] === undefined || phase[key] === null) continue;
      const message = `The phase has no agent, so nothing reads its ${key}.`;
      findings.warning(
        'key-without-agent',
        positions.key([...path, key]),
        message,
        `Remove ${key}, or name an agent.`,
      );
    }
    if (agent === undefined || name === undefined) whole = false;
    if (name === undefined) continue;
    if (!PHASE_NAME_PATTERN.test(name)) {
      findings.error(
        'bad-phase-name',
        positions.value([...path, 'name']),
        `The phase name ${JSON.stringify(name)} does not fit into an address.`,
        'Use letters, digits, dots, hyphens and underscores.',
      );
    }
    if (phases.some((other) => other.phase.name === name)) {
      findings.error(
        'duplicate-phase',
        positions.value([...path, 'name']),
        `A phase named ${name} stands above already.`,
        'Give each phase a name of its own.',
      );
      whole = false;
      continue;
    }
    const definition: PhaseDefinition = {
      name,
      agent: agent ?? null,
      model: model ?? null,
      status: status ?? '',
      interactive_checkpoint: phase.interactive_checkpoint ?? false,
      provider: phase.provider ?? null,
      obligations: phase.obligations ?? null,
      ...(tools ? { tools } : {}),
    };
    phases.push({ index, phase: definition });
  }
  return { phases, whole };
}
