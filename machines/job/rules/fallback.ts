import type { Fallback } from '../../../src/base/agents/fallback.ts';
import type { PhaseDefinition } from '../../../src/contract/schema/workflow/workflow.ts';
import type { JobContext } from '../jobContext.ts';

/** Whether a phase uses the fallback; a provider that the phase pins is kept. */
export const usesFallback = (
  { model, provider }: Pick<PhaseDefinition, 'model' | 'provider'>,
  fallback: Fallback | undefined,
): fallback is Fallback => fallback !== undefined && provider === null && model === fallback.from;

export const applyFallback = (
  phase: PhaseDefinition,
  { fallback }: Pick<JobContext, 'fallback'>,
): PhaseDefinition => (usesFallback(phase, fallback) ? { ...phase, model: fallback.to } : phase);

export const describeFallback = ({ from, to, pool: accountId }: Fallback): string =>
  `model ${to} in the place of ${from}, whose pool ${accountId} is exhausted`;
