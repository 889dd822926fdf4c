import type { Proof } from './proveInvariants.ts';
import type { PathStep } from './placeGraph.ts';

/** Most steps in a description; a longer path is cut in its middle. */
const MAX_SAID = 12;

function describePathStep({ move, phase, to }: PathStep, target: string | null): string {
  const on = target === null || target === phase ? '' : ` to ${target}`;
  switch (move.does) {
    case 'end':
      if (to.stage === 'approval') return `${phase} waits for its approval`;
      return move.begins === undefined
        ? `${phase} is over, and the job with it`
        : `${phase} is over`;
    case 'goto':
      return `in ${phase} the agent calls goto_phase ${target ?? ''}`.trimEnd();
    case 'await':
      return `in ${phase} the agent calls await_event`;
    case 'error':
      return `${phase} fails`;
    case 'open-pr':
      return `in ${phase} the agent opens a pull request`;
    case 'push':
      return `in ${phase} the agent brings commits to it`;
    case 'merge':
      return `in ${phase} the agent merges`;
    case 'call':
      return `in ${phase} the agent calls ${move.what}`;
    case 'event':
      return `the forge reports ${move.what}${on}`;
    case 'message':
      return `a person writes${on}`;
    case 'approve':
      return `a person approves ${phase}`;
    case 'reject':
      return `a person rejects ${phase}`;
    case 'resume':
      return `a person resumes ${phase}`;
    case 'rerun':
      return `a person reruns ${target ?? phase}`;
    case 'sub-runs':
      return 'the job waits for its sub-runs';
    case 'sub-run':
      return `all sub-runs have ended, which leads${on}`;
    case 'choose':
      return '';
    case 'gate':
      return `${phase} runs again, because a work item is open`;
  }
}

/** The phase that begins with a step, for these phases; null = none. */
export const findBegunPhase = ({ move }: PathStep, phases: readonly string[]): string | null =>
  move.begins === undefined ? null : (phases[move.begins] ?? null);

/** A path as one sentence for each step. */
export const describePathSteps = (
  { path }: Pick<Proof, 'path'>,
  phases: readonly string[],
): string[] => path.map((step) => describePathStep(step, findBegunPhase(step, phases)));

/** A path in one line, with what begins at its end. */
export function describePath(proof: Pick<Proof, 'path'>, phases: readonly string[]): string {
  const lines = describePathSteps(proof, phases);
  const last = proof.path.at(-1);
  const begins = last ? findBegunPhase(last, phases) : null;
  const shownLines =
    lines.length <= MAX_SAID
      ? lines
      : [...lines.slice(0, MAX_SAID / 2), '…', ...lines.slice(-MAX_SAID / 2)];
  if (shownLines.length === 0) return 'the job begins with that phase';
  return `${shownLines.join('; ')}${begins === null || last?.move.asked ? '' : `; ${begins} begins`}`;
}
