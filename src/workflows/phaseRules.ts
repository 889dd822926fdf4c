import type { Settings } from '../schema/settings.ts';
import type { PhaseDefinition } from '../schema/workflow.ts';
import { MAX_PHASES } from '../schema/workflow.ts';
import { didYouMean } from '../lib/closestName.ts';
import type { Findings } from './findings.ts';
import type { KeyPath, Positions } from './positions.ts';
import { phaseModel } from './phaseModel.ts';
import { shapeCheck } from './shapeCheck.ts';
import { PHASE_NAME_PATTERN, PhaseFrontMatter, STATUS_PATTERN } from './workflowShape.ts';

/** What a workflow is checked against besides itself. A part that is left out is not checked. */
export interface WorkflowContext {
  /** Whether the overlay has this agent markdown. */
  hasAgent?: (path: string) => boolean;
  /** Paths to offer where an agent is missing. */
  agents?: readonly string[];
  /** Names of the configured model aliases. */
  aliases?: readonly string[];
  /** Who can run a phase: ids of the installed executors, and the `llm` settings that choose among them. */
  executors?: { ids: readonly string[]; llm: Settings['llm'] };
  /** What to say of a name that no tool has; null = there is such a tool. */
  unknownTool?: (name: string) => string | null;
}

const checkPhaseShape = shapeCheck(PhaseFrontMatter, {
  agent: 'Write the path of an agent such as agents/coder.md, or agent: null for a phase without a session.',
  status: 'Write the status that the job shows in this phase, such as coding.',
  checkpoint: 'Did you mean interactive_checkpoint?',
  command: 'Commands are declared in the front matter of the agent.',
});

/** Shared by every key that holds a status. */
export function checkStatus(status: string, path: KeyPath, positions: Positions, findings: Findings): void {
  if (STATUS_PATTERN.test(status)) return;
  const near = status
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+|-+$/g, '');
  const message = `The status ${JSON.stringify(status)} is not lower-case letters, digits and hyphens.`;
  findings.error('bad-status', positions.value(path), message, near ? `Write ${near}.` : 'Write a status such as coding.');
}

function checkAlias(alias: string, path: KeyPath, context: WorkflowContext, positions: Positions, findings: Findings): void {
  if (!context.aliases || context.aliases.includes(alias)) return;
  const none = context.aliases.length === 0;
  const report = none ? findings.warning : findings.error;
  const hint = none
    ? 'Add llm.aliases to the configuration; without it the executor takes its default model.'
    : didYouMean(alias, context.aliases);
  report('unknown-alias', positions.value(path), `The model alias ${alias} is not configured.`, hint);
}

/** Points at what chose the executor: the phase itself, its alias, or where neither says anything the agent. */
function checkExecutor(
  { provider, model, agent }: { provider?: string | null; model?: string | null; agent?: string | null },
  path: KeyPath,
  { executors }: WorkflowContext,
  positions: Positions,
  findings: Findings,
): void {
  if (!executors) return;
  const { ids, llm } = executors;
  if (typeof provider === 'string') {
    if (ids.includes(provider)) return;
    const place = positions.value([...path, 'provider']);
    findings.error('unknown-provider', place, `The executor ${provider} is not installed.`, didYouMean(provider, ids));
    return;
  }
  const aliased = typeof model === 'string';
  // An alias that is not configured is a finding of its own; a phase without agent runs nothing.
  if (aliased ? !Object.hasOwn(llm.aliases, model) : typeof agent !== 'string') return;
  const { provider: chosen } = phaseModel(llm, { provider: null, model: model ?? null });
  if (ids.includes(chosen)) return;
  const chooser = aliased ? `which the model alias ${model} names` : 'which llm.defaultProvider names';
  findings.error(
    'unknown-provider',
    positions.value([...path, aliased ? 'model' : 'agent']),
    `The executor ${chosen}, ${chooser}, is not installed.`,
    `Install it (svc plugin install), or mend llm in config.json. ${didYouMean(chosen, ids)}`,
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
    if (hint !== null) findings.error('unknown-tool', positions.value([...path, index]), `There is no tool ${name}.`, hint);
  }
}

/** Reads the list of phases; those that cannot be used are left out and reported. */
export function readPhases(
  value: readonly unknown[],
  context: WorkflowContext,
  positions: Positions,
  findings: Findings,
): PhaseDefinition[] {
  if (value.length > MAX_PHASES) {
    const message = `There are ${value.length} phases; a job can carry ${MAX_PHASES}.`;
    findings.error(
      'too-many-phases',
      positions.value(['phases', MAX_PHASES]),
      message,
      'Split the workflow and switch with switch_workflow.',
    );
    return [];
  }
  const phases: PhaseDefinition[] = [];
  for (const [index, item] of value.entries()) {
    const path = ['phases', index];
    const phase = checkPhaseShape(item, path, positions, findings);
    if (!phase) continue;
    const { name, agent, status, model, tools } = phase;
    if (status !== undefined) checkStatus(status, [...path, 'status'], positions, findings);
    if (typeof model === 'string') checkAlias(model, [...path, 'model'], context, positions, findings);
    checkExecutor(phase, path, context, positions, findings);
    if (tools) checkTools(tools, [...path, 'tools'], context, positions, findings);
    if (typeof agent === 'string' && context.hasAgent && !context.hasAgent(agent)) {
      const hint = didYouMean(agent, context.agents ?? []);
      findings.error(
        'missing-agent',
        positions.value([...path, 'agent']),
        `The agent ${agent} is in no layer.`,
        context.agents ? hint : 'Write the file or mend the path.',
      );
    }
    if (name === undefined) continue;
    if (!PHASE_NAME_PATTERN.test(name)) {
      findings.error(
        'bad-phase-name',
        positions.value([...path, 'name']),
        `The phase name ${JSON.stringify(name)} does not fit into an address.`,
        'Use letters, digits, dots, hyphens and underscores.',
      );
    }
    if (phases.some((other) => other.name === name)) {
      findings.error(
        'duplicate-phase',
        positions.value([...path, 'name']),
        `A phase named ${name} stands above already.`,
        'Give each phase a name of its own.',
      );
      continue;
    }
    phases.push({
      name,
      agent: agent ?? null,
      model: model ?? null,
      status: status ?? '',
      interactive_checkpoint: phase.interactive_checkpoint ?? false,
      provider: phase.provider ?? null,
      obligations: phase.obligations ?? null,
      ...(tools ? { tools } : {}),
    });
  }
  return phases;
}
