import type { JobOutcome } from '../../base/jobs/jobOutcomes.ts';
import type { WorkflowTable } from '../../contract/schema/workflow/workflow.ts';
import { performAgentAct, isAgentRunning } from './agentActs.ts';
import { performHabit } from './performHabit.ts';
import { toActEvent, performOthersAct } from './othersActs.ts';
import { performRunnerStep } from './performRunnerStep.ts';
import { isAgentAct, type Step } from './step.ts';
import type { Moment } from './timeline.ts';
import { World } from './world.ts';

/** Most steps of one simulation; a workflow that needs more loops forever. */
const MAX_HAPPENINGS = 1_000;

export interface SimulationInput {
  workflow: WorkflowTable;
  workflowPath: string;
  steps: readonly Step[];
}

export interface Failure {
  line: number;
  column: number;
  message: string;
}

export interface SimulationResult {
  /**
   * How the job ended; `rests` = it waits for a decision, `stopped` = the script says stop,
   * `endless` = it loops forever.
   */
  outcome: JobOutcome | 'rests' | 'stopped' | 'endless';
  state: string;
  status: string;
  phase: string;
  /** What the job waits for, if it has not ended. */
  waitsFor: string[];
  message: string | null;
  /** Simulated time, ms. */
  took: number;
  timeline: Moment[];
  /** Each phase in order: how often its work began, and whether the job ever showed it. */
  coverage: { phase: string; visits: number; reached: boolean }[];
  failures: Failure[];
}

/**
 * Plays a job of the workflow with the real chart, a simulated clock and nothing from outside.
 * Always ends.
 */
export async function simulate({
  workflow,
  workflowPath,
  steps,
}: SimulationInput): Promise<SimulationResult> {
  const world = new World();
  const failures: Failure[] = [];
  const outcomes = new Map<string, 'complete' | 'failed'>();
  // Set from the beginning: a sub-run may end before its step is due.
  for (const { act } of steps) if (act.do === 'sub-run') outcomes.set(act.name, act.outcome);
  await world.begin({
    type: 'job',
    tenantId: 'simulated',
    workflowPath,
    workflow,
    params: {},
    interactive: true,
    limits: { gateBlocks: 5, sessionsPerVisit: 10 },
  });

  const waiting = steps.filter(({ act }) => act.do !== 'sub-run');
  /** The session (visit and number) that the script has used. */
  let reportedState = '';
  const sessionNow = () => `${world.context.visit}.${world.context.session}`;
  const fail = ({ line, column }: Step, message: string) =>
    failures.push({ line, column, message });

  const possible = ({ act, in: phase }: Step): boolean => {
    if (phase !== null && world.context.phase !== phase) return false;
    if (isAgentAct(act)) return isAgentRunning(world);
    if (act.do === 'wait' || act.do === 'expect' || act.do === 'stop') return true;
    const event = toActEvent(world, act);
    return event !== null && world.can(event);
  };

  /** False = the simulation stops here. */
  const take = async (step: Step): Promise<boolean> => {
    const { act, after } = step;
    await world.pass(after);
    if (act.do === 'stop') return false;
    if (act.do === 'wait') await world.pass(act.ms);
    else if (act.do === 'expect') {
      const now = {
        phase: world.context.phase,
        status: world.timeline.at(-1)?.status,
        state: world.at,
        invariant: world.context.monitors?.held ?? 'none',
      };
      for (const key of ['phase', 'status', 'state', 'invariant'] as const) {
        if (act[key] !== undefined && act[key] !== now[key])
          fail(step, `The ${key} is ${now[key]}, not ${act[key]}.`);
      }
    } else {
      const session = sessionNow();
      const refusal = isAgentAct(act)
        ? await performAgentAct(world, act)
        : await performOthersAct(world, act);
      if (isAgentAct(act)) reportedState = session;
      const { refusedBy } = step;
      if (refusedBy === undefined && refusal !== null)
        fail(step, `${act.do} was refused: ${refusal}.`);
      if (refusedBy !== undefined && refusal?.includes(`the invariant ${refusedBy} `) !== true)
        fail(
          step,
          `${act.do} was ${refusal ?? 'taken'}; the invariant ${refusedBy} was to refuse it.`,
        );
    }
    return true;
  };

  let outcome: SimulationResult['outcome'] = 'endless';
  for (let eventCount = 0; eventCount < MAX_HAPPENINGS; eventCount++) {
    // Before any decision the runner does its part, unless a step wants to come first.
    const [step] = waiting;
    if (step && step.act.do !== 'expect' && step.act.do !== 'stop' && possible(step)) {
      waiting.shift();
      await take(step);
    } else if (await performRunnerStep(world, outcomes)) {
      // Done.
    } else if (step && possible(step)) {
      waiting.shift();
      if (!(await take(step))) {
        outcome = 'stopped';
        break;
      }
    } else if (!(await performHabit(world, reportedState === sessionNow()))) {
      const [top = '', leaf = ''] = world.at.split('.');
      outcome = top === 'ended' ? (leaf as JobOutcome) : 'rests';
      break;
    }
  }
  for (const step of waiting) {
    const where = step.in === null ? '' : ` in ${step.in}`;
    fail(
      step,
      `${step.act.do}${where} was never possible: the job is ${world.at}, in ${world.context.phase}.`,
    );
  }
  return {
    outcome,
    state: world.at,
    status: world.timeline.at(-1)?.status ?? '',
    phase: world.context.phase,
    waitsFor: world.at.startsWith('ended') ? [] : world.waitsFor(),
    message: world.context.escalationMessage,
    took: world.elapsed,
    timeline: world.timeline,
    coverage: computeCoverage(workflow, world.timeline),
    failures,
  };
}

function computeCoverage(
  workflow: WorkflowTable,
  timeline: readonly Moment[],
): SimulationResult['coverage'] {
  const visits = new Map<string, Set<number>>();
  const reachedPhases = new Set<string>();
  for (const { phase, visit, state } of timeline) {
    if (visit > 0) reachedPhases.add(phase);
    if (state === 'working.preparing')
      visits.set(phase, (visits.get(phase) ?? new Set()).add(visit));
  }
  return workflow.phases.map(({ name }) => ({
    phase: name,
    visits: visits.get(name)?.size ?? 0,
    reached: reachedPhases.has(name),
  }));
}
