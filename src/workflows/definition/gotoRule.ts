import { suggestClosestName } from '../../base/text/findClosestName.ts';
import { ARGUMENTS, IS, createPlaceLookup } from './textRules.ts';
import type { Findings, Place } from './findings.ts';

const NAME = '([A-Za-z0-9][A-Za-z0-9._-]{0,63})';

/**
 * `goto_phase({ "phase": "x" })`, `goto_phase { phase: x }`, also over several lines,
 * `goto_phase("x")`, `goto_phase` with the phase `x`, and `goto_phase x` within a code span.
 */
const GOTO = [
  new RegExp(`goto_phase${ARGUMENTS}phase${IS}["'\`]?${NAME}`, 'g'),
  new RegExp(`goto_phase\`?[ \\t]*\\(?[ \\t]*["'\`]${NAME}`, 'g'),
  new RegExp(`(?<=\`)goto_phase ${NAME}`, 'g'),
  new RegExp(`goto_phase\`? (?:to|with) (?:the )?(?:phase )?["'\`]${NAME}["'\`]`, 'g'),
];

/** The phase in which an await_event continues. */
const RESUME = new RegExp(`await_event${ARGUMENTS}resumePhase${IS}["'\`]?${NAME}`, 'g');

/** A phase that a text names as a target, with its place in the file. */
interface PhaseMention extends Place {
  name: string;
}

function matchPhaseNames(
  patterns: readonly RegExp[],
  text: string,
  findPlace: (offset: number) => Place,
): PhaseMention[] {
  return patterns.flatMap((pattern) =>
    [...text.matchAll(pattern)].map((match) => {
      const name = match[1] ?? '';
      const end = match.index + match[0].length - (/["'`]$/.test(match[0]) ? 1 : 0);
      return { name, ...findPlace(end - name.length) };
    }),
  );
}

export const listGotoPhases = (text: string): string[] =>
  matchPhaseNames(GOTO, text, createPlaceLookup(text, 1)).map(({ name }) => name);

/** Phases that a text sends an agent to. `firstLine`: the file's line where the text begins. */
export function findPhaseMentions(text: string, firstLine: number): PhaseMention[] {
  const all = matchPhaseNames([...GOTO, RESUME], text, createPlaceLookup(text, firstLine));
  const seenPhases = new Set<string>();
  return all.filter(({ line, column }) => {
    const place = `${line}:${column}`;
    return !seenPhases.has(place) && seenPhases.add(place);
  });
}

/** Warns if a text sends an agent to a phase that the workflow does not have. */
export function checkGotoNames(
  text: string,
  firstLine: number,
  phases: readonly string[],
  findings: Findings,
): void {
  const phaseNames = new Set(phases);
  for (const { name, line, column } of findPhaseMentions(text, firstLine)) {
    if (phaseNames.has(name)) continue;
    findings.addWarning(
      'goto-unknown-phase',
      { line, column },
      `The text sends the agent to the phase ${name}, which the workflow does not have.`,
      suggestClosestName(name, phases),
    );
  }
}
