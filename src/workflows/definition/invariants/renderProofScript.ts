import type { Proof } from './proveInvariants.ts';
import type { PathStep } from './placeGraph.ts';
import { findBegunPhase } from './describePath.ts';

type ScriptStep = Readonly<Record<string, unknown>>;

/** Calls that write to a forge or tracker: the only ones that a simulation knows by name. */
const WRITES: readonly string[] = [
  'approve_pr',
  'post_pr_comment',
  'reply_to_comment',
  'create_repo',
  'post_comment',
  'transition_issue',
];

const AT_WORK: ScriptStep = { expect: { state: 'working.inSession' } };

/** The event that an await_event names, from what ends the wait. */
function toAwaitedEvent(rest: readonly PathStep[], phases: readonly string[]): unknown {
  const end = rest.find(({ move, to }) => move.begins !== undefined || to.stage === 'approval');
  const kinds = end?.move.does === 'event' ? [end.move.what ?? 'commented'] : ['closed'];
  const target = end && findBegunPhase(end, phases);
  return end?.move.asked && end.move.does === 'event' && target != null
    ? { kinds, resumePhase: target }
    : kinds;
}

/**
 * Whether the agent registers sub-runs before its turn ends, because the job then waits for them.
 */
function registersSubRuns(
  rest: readonly PathStep[],
  hasAgent: (phase: string) => boolean,
): boolean {
  const index = rest.findIndex(({ move }) => move.does === 'sub-runs');
  return (
    index >= 0 &&
    rest.slice(0, index).every(({ phase, move }) => move.does === 'approve' || !hasAgent(phase))
  );
}

interface ScriptedStep {
  step: PathStep;
  rest: readonly PathStep[];
  phases: readonly string[];
  hasAgent(phase: string): boolean;
}

/** The script steps for one step of a path; null = no script can express it. */
function toScriptSteps({ step, rest, phases, hasAgent }: ScriptedStep): ScriptStep[] | null {
  const { move, phase, to } = step;
  const target = findBegunPhase(step, phases);
  switch (move.does) {
    case 'end':
      if (!hasAgent(phase)) return [];
      if (rest[0]?.move.does === 'approve' && rest[0].move.what === 'goto')
        return [{ goto: findBegunPhase(rest[0], phases) }];
      return registersSubRuns(rest, hasAgent)
        ? [{ 'sub-runs': ['first'] }, { end: null }]
        : [{ end: null }];
    case 'goto':
      return [{ goto: target }];
    case 'await':
      return to.opened ? [{ await: toAwaitedEvent(rest, phases) }] : null;
    case 'error':
      return hasAgent(phase) ? [{ end: 'error' }] : null;
    case 'open-pr':
      return [{ 'open-pr': 'The change' }];
    case 'push':
    case 'merge':
      return [{ [move.does]: null }];
    case 'call':
      return WRITES.includes(move.what ?? '') ? [{ call: move.what }] : null;
    case 'event':
      // That takes a second pull request, with facts of its own.
      if (move.what === 'merged' && target === phase && phase !== phases.at(-1)) return null;
      if (to.stage !== 'work' || move.begins !== undefined) return [{ event: move.what }];
      return move.what === 'check_passed'
        ? [{ await: ['check_passed'] }, { event: 'check_passed' }]
        : [AT_WORK, { event: move.what }];
    case 'message':
      return move.what === 'resume'
        ? null
        : [
            ...(to.stage === 'work' && move.begins === undefined ? [AT_WORK] : []),
            { message: 'Please continue.' },
          ];
    case 'approve':
    case 'reject':
    case 'resume':
      return [{ [move.does]: null }];
    case 'rerun':
      return [{ rerun: target }];
    case 'gate':
      return [{ message: 'Please look again.' }, { end: null }];
    case 'sub-runs':
    case 'sub-run':
    case 'choose':
      return [];
  }
}

/**
 * The path of a proof as a script for `svc workflow simulate`, which ends with what stops it; null
 * = there is no path, or no script can play it. `phases`: names in order; `hasAgent`: whether an
 * agent works in a phase.
 */
export function renderProofScript(
  { invariant, path, result }: Proof,
  phases: readonly string[],
  hasAgent: (phase: string) => boolean,
): string | null {
  if (path.length === 0 && result !== 'counterexample') return null;
  const steps: ScriptStep[] = [];
  for (const [index, step] of path.entries()) {
    const own = toScriptSteps({ step, rest: path.slice(index + 1), phases, hasAgent });
    if (own === null) return null;
    steps.push(...own);
  }
  const last = path.at(-1);
  const isRequested =
    last &&
    (last.move.begins === undefined ? last.move.act !== 'complete' : last.move.does === 'goto');
  const refusedStep = isRequested ? steps.pop() : undefined;
  const stop = refusedStep
    ? { ...refusedStep, 'refused-by': invariant.id }
    : { expect: { invariant: invariant.id } };
  return [...steps, stop, { stop: null }].map((one) => `- ${JSON.stringify(one)}\n`).join('');
}
