import type { Obligation } from '../../contract/policy/decider.ts';

/** What every phase is held to that declares nothing else. */
export const DEFAULT_OBLIGATIONS = {
  output: 'The phase produced the output its workflow contract requires.',
  objective: "The work still serves the job's stated objective.",
  progress: 'The phase made progress instead of repeating earlier work.',
  failures: 'Failures the phase hit were surfaced and not silently worked around.',
} as const;

/** The obligations of a phase, numbered; `declared`: its front matter's, null = the default ones. */
export const toObligations = (declared: readonly string[] | null): Obligation[] =>
  (declared ?? Object.values(DEFAULT_OBLIGATIONS)).map((text, n) => ({ id: `o${n + 1}`, text }));
