import { resolveConfiguredRules } from '../../../policy/guardrails/resolveConfiguredRules.ts';
import type { Config } from '../configSchema.ts';

/** Mistakes of `guardrails.rules` that no schema sees: conditions, and keys that a rule lacks. */
export function reportGuardrailMistakes(
  { guardrails }: Config,
  report: (path: (string | number)[], message: string) => void,
): void {
  for (const { index, key, message } of resolveConfiguredRules(guardrails.rules).mistakes)
    report(['guardrails', 'rules', index, ...(key === null ? [] : [key])], message);
}
