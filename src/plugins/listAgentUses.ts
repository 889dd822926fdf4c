import type { AgentUse } from '../executors/process/agentState.ts';
import type { Settings } from '../contract/schema/runner/settings.ts';

/** An alias with this model leaves the choice to the executor. */
const EXECUTORS_CHOICE = 'default';

/** What the model aliases ask of an executor, each once; empty where none names it. */
export function listAgentUses(
  { defaultProvider, aliases }: Settings['llm'],
  executorId: string,
): AgentUse[] {
  const uses = Object.values(aliases).map(
    ({ provider, model, reasoningEffort }): AgentUse => ({
      provider: provider ?? defaultProvider,
      model: model === EXECUTORS_CHOICE ? null : (model ?? null),
      reasoningEffort: reasoningEffort ?? null,
    }),
  );
  const byName = new Map(uses.map((use) => [`${use.provider} ${use.model}`, use]));
  return [...byName.values()].filter(({ provider }) => provider.split(':', 1)[0] === executorId);
}
