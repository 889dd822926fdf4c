import { didYouMean } from '../lib/closestName.ts';
import type { Findings } from './findings.ts';

/** `goto_phase({ "phase": "x" })`, `goto_phase { phase: x }`, `goto_phase("x")` and `goto_phase x` within a code span. */
const GOTO =
  /goto_phase`?[ \t]*\(?[ \t]*(?:\{[ \t]*["'`]?phase["'`]?[ \t]*[:=][ \t]*["'`]?|["'`]|(?<=`goto_phase) )([A-Za-z0-9][A-Za-z0-9._-]{0,63})/g;

/**
 * Warns where text sends an agent to a phase that the workflow does not have. `firstLine` is the file's line that the
 * text begins on.
 */
export function checkGotoNames(text: string, firstLine: number, phases: readonly string[], findings: Findings): void {
  const known = new Set(phases);
  for (const [index, line] of text.split('\n').entries()) {
    for (const match of line.matchAll(GOTO)) {
      const name = match[1];
      if (name === undefined || known.has(name)) continue;
      const column = match.index + match[0].length - name.length + 1;
      findings.warning(
        'goto-unknown-phase',
        { line: firstLine + index, column },
        `The text sends the agent to the phase ${name}, which the workflow does not have.`,
        didYouMean(name, phases),
      );
    }
  }
}
