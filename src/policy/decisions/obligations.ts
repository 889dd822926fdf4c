import type { Obligation } from '../../contract/policy/decider.ts';

/** Obligations of a phase that declares none. */
export const DEFAULT_OBLIGATIONS = {
  output: 'The phase produced the output its workflow contract requires.',
  objective: "The work still serves the job's stated objective.",
  progress: 'The phase made progress instead of repeating earlier work.',
  failures: 'Failures the phase hit were surfaced and not silently worked around.',
} as const;

/** The numbered obligations of a phase; `declaredTexts`: from its front matter, null = the defaults. */
export const toObligations = (declaredTexts: readonly string[] | null): Obligation[] =>
  (declaredTexts ?? Object.values(DEFAULT_OBLIGATIONS)).map((text, n) => ({
    id: `o${n + 1}`,
    text,
  }));
