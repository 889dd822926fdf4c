import type { PhaseUsage } from '../../../src/contract/schema/session/sessionRecords.ts';

/** Tokens of a phase over all its visits. */
export interface PhaseTokens {
  phase: string;
  /** Read from the cache, read without it, written. */
  cached: number;
  input: number;
  output: number;
  total: number;
}

/** Sums of each phase, in the order in which they were first visited. */
export function sumPhaseTokens(usage: readonly PhaseUsage[]): PhaseTokens[] {
  const phases = new Map<string, PhaseTokens>();
  for (const { phase, usage: tokens } of usage) {
    const sum = phases.get(phase) ?? { phase, cached: 0, input: 0, output: 0, total: 0 };
    // What came from the cache is part of the input.
    const cached = Math.min(tokens.cachedInputTokens, tokens.inputTokens);
    sum.cached += cached;
    sum.input += tokens.inputTokens - cached;
    sum.output += tokens.outputTokens;
    sum.total += tokens.inputTokens + tokens.outputTokens;
    phases.set(phase, sum);
  }
  return [...phases.values()];
}
