import { suggestClosestName } from '../../base/text/findClosestName.ts';
import type { Findings } from './findings.ts';
import type { KeyPath, Positions } from './positions.ts';
import { toExecutorId, isKnownProvider, resolvePhaseModel } from './resolvePhaseModel.ts';
import type { WorkflowContext } from './workflowContext.ts';

export function checkAlias(
  alias: string,
  path: KeyPath,
  context: WorkflowContext,
  positions: Positions,
  findings: Findings,
): void {
  if (!context.aliases || context.aliases.includes(alias)) return;
  const none = context.aliases.length === 0;
  const report = none ? findings.addWarning : findings.error;
  const hint = none
    ? 'Add llm.aliases to the configuration; without it the executor uses its default model.'
    : suggestClosestName(alias, context.aliases);
  report(
    'unknown-alias',
    positions.value(path),
    `The model alias ${alias} is not configured.`,
    hint,
  );
}

const describeUnknownExecutor = (
  provider: string,
  knownExecutors: readonly string[],
  chooser = '',
): string => {
  const executor = toExecutorId(provider);
  return knownExecutors.includes(executor)
    ? `The executor ${executor} has no agent ${provider.slice(executor.length + 1) || 'without a name'}${chooser}.`
    : `The executor ${provider}${chooser}${chooser && ','} is not installed.`;
};

/** Places the finding at what chose the executor: the phase, its alias, or else the agent. */
export function checkExecutor(
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
      describeUnknownExecutor(provider, ids),
      suggestClosestName(provider, ids),
    );
    return;
  }
  const aliased = typeof model === 'string';
  // An unknown alias has its own finding; a phase without an agent runs nothing.
  if (aliased ? !Object.hasOwn(llm.aliases, model) : typeof agent !== 'string') return;
  const { provider: agentProvider } = resolvePhaseModel(llm, {
    provider: null,
    model: model ?? null,
  });
  if (isKnownProvider(agentProvider, ids)) return;
  const chooser = aliased
    ? `, which the model alias ${model} names`
    : ', which llm.defaultProvider names';
  findings.error(
    'unknown-provider',
    positions.value([...path, aliased ? 'model' : 'agent']),
    describeUnknownExecutor(agentProvider, ids, chooser),
    ids.includes(toExecutorId(agentProvider))
      ? `Fix llm in config.json. ${suggestClosestName(agentProvider, ids)}`
      : `Install it (svc plugin install), or fix llm in config.json. ${suggestClosestName(agentProvider, ids)}`,
  );
}

/** Reports an executor that is known but cannot start a session of this agent. */
export function checkCanRun(
  phase: { provider?: string | null; model?: string | null; agent?: string | null },
  path: KeyPath,
  { executors, agentCommand }: WorkflowContext,
  positions: Positions,
  findings: Findings,
): void {
  const { agent, provider = null, model = null } = phase;
  const command = typeof agent === 'string' ? agentCommand?.(agent) : undefined;
  if (!executors?.lacks || command === undefined) return;
  const phaseModel = resolvePhaseModel(executors.llm, { provider, model });
  if (!isKnownProvider(phaseModel.provider, executors.ids)) return;
  const why = executors.lacks(phaseModel, command);
  if (why === null) return;
  findings.addWarning(
    'agent-without-executor',
    positions.value([...path, 'agent']),
    `The agent ${agent} cannot run: the phase runs on ${phaseModel.provider}, but ${why}.`,
    command === null
      ? 'Configure an agent (svc doctor names the command), or give the agent a `command:`.'
      : 'Change the configuration (svc doctor names the command).',
  );
}

/** Id of the executor that runs programs; it asks no model. */
const OF_PROGRAMS = 'command';

/**
 * Reports a model without effect, since a program runs the phase. A workflow of a lower layer is
 * not to blame for a program in a higher layer. True if reported: then the model need not exist.
 */
export function reportModelOfProgram(
  phase: { provider?: string | null; model?: string | null; agent?: string | null },
  path: KeyPath,
  { executors, agentCommand, isOfSameLayer = () => true }: WorkflowContext,
  positions: Positions,
  findings: Findings,
): boolean {
  const { agent, provider = null, model } = phase;
  if (!executors || typeof model !== 'string' || typeof agent !== 'string') return false;
  if (!isOfSameLayer(agent)) return false;
  const isProgram = Array.isArray(agentCommand?.(agent));
  const without = resolvePhaseModel(executors.llm, { provider, model: null }).provider;
  const chosenProvider = resolvePhaseModel(executors.llm, { provider, model }).provider;
  if (!isProgram || toExecutorId(chosenProvider) !== OF_PROGRAMS || chosenProvider !== without)
    return false;
  findings.addWarning(
    'model-without-effect',
    positions.key([...path, 'model']),
    `The agent ${agent} is a program, so the model ${model} is not used.`,
    'Remove model from the phase.',
  );
  return true;
}
