import { toExecutorId, resolvePhaseModel } from '../../workflows/definition/resolvePhaseModel.ts';
import type { PhaseCalls } from '../../policy/budgets/budgetDeps.ts';
import { LARGEST_CALL } from '../../policy/budgets/likely.ts';
import type { Executor } from '../../contract/session/executor.ts';
import type { Settings } from '../../contract/schema/runner/settings.ts';
import type { PhaseDefinition } from '../../contract/schema/workflow/workflow.ts';
import { type Ledger, UNKNOWN_BILLING } from '../../policy/usage/ledger.ts';

interface PriceDeps {
  settings: Pick<Settings, 'llm' | 'budgets'>;
  executors(): readonly Executor[];
  ledger: Pick<Ledger, 'price'>;
}

/** How calls of a phase's model are paid for and reported, and what the largest one costs. */
export const createCallPricer =
  ({ settings, executors, ledger }: PriceDeps) =>
  (phase: PhaseDefinition): PhaseCalls => {
    const llm = resolvePhaseModel(settings.llm, phase);
    const executor = executors().find(({ id }) => id === toExecutorId(llm.provider));
    const billing = executor?.billing?.({ llm, command: null }) ?? UNKNOWN_BILLING;
    const { metered, microUsd, why } = ledger.price({
      billing,
      model: llm.model ?? billing.model,
      usage: {
        inputTokens: LARGEST_CALL.input,
        outputTokens: LARGEST_CALL.output,
        cachedInputTokens: 0,
      },
    });
    const { input, output } = settings.budgets.unpriced;
    const assumed = LARGEST_CALL.input * input + LARGEST_CALL.output * output;
    const { reportsUsage = 'never', stopsBetweenCalls = false } = executor
      ? { ...executor.capabilities, ...executor.metering?.(llm.provider) }
      : {};
    return {
      metered,
      isListed: why === 'table',
      microUsd: Math.ceil(microUsd ?? assumed),
      reportsUsage,
      stopsBetweenCalls,
    };
  };
