import type { Call, Scene, Script, Step } from './script.ts';

const DONE: Step = { say: 'Done.' };

/** Replies of a list: each that calls something is over when all its calls are answered. */
function pickStep(steps: readonly Step[], answered: number): Step {
  let left = answered;
  for (const step of steps) {
    const calls = step.calls?.length ?? 0;
    if (calls === 0 || left < calls) return step;
    left -= calls;
  }
  return DONE;
}

const isModelStep = (yielded: Call | Step): yielded is Step =>
  !(
    'svc' in yielded ||
    'server' in yielded ||
    'shell' in yielded ||
    'read' in yielded ||
    'write' in yielded ||
    'tool' in yielded
  );

/** How an agent reports a call that was cut off: whether it was carried out is unknown. */
const CUT_OFF = /^\[(restart|interrupted)\]/;

/** The same conversation always gives the same step. */
export function computeNextStep(script: Script, scene: Scene): Step {
  if (typeof script !== 'function') return pickStep(script, scene.answers.length);
  const play = script(scene);
  let next = play.next();
  for (const answer of scene.answers) {
    if (next.done) break;
    // The call is made once more: the tools of the job do nothing twice, and the commands of plays
    // can be repeated.
    if (CUT_OFF.test(answer.text)) continue;
    next = play.next(answer);
  }
  if (next.done) return typeof next.value === 'string' ? { say: next.value } : next.value;
  return isModelStep(next.value) ? next.value : { calls: [next.value] };
}
