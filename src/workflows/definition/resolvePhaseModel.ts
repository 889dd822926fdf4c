import type { PhaseModel, Settings } from '../../contract/schema/runner/settings.ts';
import type { PhaseDefinition } from '../../contract/schema/workflow/workflow.ts';

/** Model of an alias that leaves the choice to the executor; default of `planning` and `coding`. */
export const EXECUTORS_CHOICE = 'default';

/** The executor of a provider: `acp` of `acp:gemini`; the rest is for the executor. */
export const toExecutorId = (provider: string): string => provider.split(':', 1)[0] ?? provider;

/**
 * The provider names that a phase may use for an executor; `variants` as in its manifest, such as
 * `acp` and `acp:gemini`.
 */
export const listPhaseProviders = ({
  id,
  variants = [],
}: {
  id: string;
  variants?: readonly string[] | undefined;
}): string[] => [id, ...variants.map((variant) => `${id}:${variant}`)];

/**
 * Whether an executor could run it. The part after the colon is checked if the executor lists its
 * variants.
 */
export function isKnownProvider(provider: string, knownProviders: readonly string[]): boolean {
  const executor = toExecutorId(provider);
  return (
    knownProviders.includes(provider) ||
    (knownProviders.includes(executor) &&
      !knownProviders.some((name) => name.startsWith(`${executor}:`)))
  );
}

/** Executor and model of a phase. A pinned provider overrides the alias's; the model stays. */
export function resolvePhaseModel(
  { defaultProvider, aliases }: Settings['llm'],
  phase: Pick<PhaseDefinition, 'model' | 'provider'>,
): PhaseModel {
  const alias =
    phase.model !== null && Object.hasOwn(aliases, phase.model) ? aliases[phase.model] : undefined;
  const model = alias?.model ?? EXECUTORS_CHOICE;
  return {
    provider: phase.provider ?? alias?.provider ?? defaultProvider,
    model: model === EXECUTORS_CHOICE ? null : model,
    reasoningEffort: alias?.reasoningEffort ?? null,
  };
}

/**
 * Aliases that replace a phase's own while accounts are exhausted, in order. A phase that pins its
 * provider has none.
 */
export function listFallbackAliases(
  { aliases }: Pick<Settings['llm'], 'aliases'>,
  { model, provider }: Pick<PhaseDefinition, 'model' | 'provider'>,
): string[] {
  if (model === null || provider !== null) return [];
  const after = (name: string) =>
    Object.hasOwn(aliases, name) ? aliases[name]?.fallback : undefined;
  const seenModels = new Set([model]);
  for (let to = after(model); to !== undefined && !seenModels.has(to); to = after(to))
    seenModels.add(to);
  return [...seenModels].slice(1);
}
