import { didYouMean } from '../../lib/closestName.ts';
import type { Findings, Place } from './findings.ts';

/**
 * `goto_phase({ "phase": "x" })`, `goto_phase { phase: x }`, `goto_phase("x")` and `goto_phase x`
 * within a code span.
 */
const GOTO =
  /goto_phase`?[ \t]*\(?[ \t]*(?:\{[ \t]*["'`]?phase["'`]?[ \t]*[:=][ \t]*["'`]?|["'`]|(?<=`goto_phase) )([A-Za-z0-9][A-Za-z0-9._-]{0,63})/g;

/** The phase in which an await_event continues. */
const RESUME =
  /await_event`?[ \t]*\(?[ \t]*\{[^}\n]{0,200}?resumePhase["'`]?[ \t]*[:=][ \t]*["'`]?([A-Za-z0-9][A-Za-z0-9._-]{0,63})/g;

/** A phase that text names as a way to go, with its place in the file. */
interface Named extends Place {
  name: string;
}

/** Phases that text sends an agent to. `firstLine` is the file's line that the text begins on. */
export function phasesNamedIn(text: string, firstLine: number): Named[] {
  return text.split('\n').flatMap((line, index) =>
    [GOTO, RESUME].flatMap((pattern) =>
      [...line.matchAll(pattern)].map((match) => {
        const name = match[1] ?? '';
        return {
          name,
          line: firstLine + index,
          column: match.index + match[0].length - name.length + 1,
        };
      }),
    ),
  );
}

/** Warns where text sends an agent to a phase that the workflow does not have. */
export function checkGotoNames(
  text: string,
  firstLine: number,
  phases: readonly string[],
  findings: Findings,
): void {
  const known = new Set(phases);
  for (const { name, line, column } of phasesNamedIn(text, firstLine)) {
    if (known.has(name)) continue;
    findings.warning(
      'goto-unknown-phase',
      { line, column },
      `The text sends the agent to the phase ${name}, which the workflow does not have.`,
      didYouMean(name, phases),
    );
  }
}
