import type { ActorState, DurableChart } from '../../src/kernel/chart.ts';
import { countStatuses, toAcceptedMarks } from './graph.ts';
import { subRunsMachine } from './subRuns.ts';
import type { SubRunsContext } from './subRunsContext.ts';
import type { SubRunsEvent } from './subRunsEvents.ts';
import { subRunsGuardNotes } from './subRunsGuards.ts';

/** The context of version 1. */
interface ContextOf1 extends Omit<SubRunsContext, 'agentReruns'> {
  /** Failures before this position halted nothing. */
  roundFrom: number;
  /** False: failures halted nothing, and what had not begun was skipped. */
  attended: boolean;
}

/**
 * From version 1: failures that halted nothing still halt nothing, so that the upgrade halts no
 * running campaign. Version 1 did not record which dispatched sub-runs had a job.
 */
function migrateTo2(snapshot: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { roundFrom, attended, ...context } = snapshot.context as ContextOf1;
  const { marks } = context.graph;
  const acceptedUpTo = attended ? roundFrom : marks.length;
  const now = toAcceptedMarks(marks.slice(0, acceptedUpTo)) + marks.slice(acceptedUpTo);
  return {
    ...snapshot,
    context: {
      ...context,
      agentReruns: [],
      graph: { ...context.graph, marks: now.replaceAll('d', 'o') },
    } satisfies SubRunsContext,
  };
}

/** Raise it with every change that older snapshots do not survive unmigrated. */
const SUB_RUNS_CHART_VERSION = 2;

const parent = 'the parent';
const job = "a sub-run's job";
const developer = 'a developer';
const runner = 'the runner';

const SENDERS: Readonly<Record<SubRunsEvent['type'], string>> = {
  'subRuns.register': 'the agent of the parent',
  'subRuns.finalize': 'the agent of the parent',
  'subRuns.clear': parent,
  'parent.parked': parent,
  'parent.paused': parent,
  'parent.ended': parent,
  'parent.gone': parent,
  'subRun.prepared': runner,
  'subRun.unprepared': runner,
  'subRun.postponed': runner,
  'subRuns.retry': 'a timer',
  'subRun.ended': job,
  'subRun.reopened': job,
  'effect.givenUp': 'the kernel',
  'subRuns.skip': developer,
  'subRuns.unskip': developer,
  'subRuns.rerun': developer,
  'subRuns.cancel': developer,
};

/** The kernel passes only what it stored under this chart's name. */
const readSubRunsContext = (state: ActorState): SubRunsContext => state.context as SubRunsContext;

const readTextParam = (params: unknown, name: string): string => {
  const value = Object(params)[name] as unknown;
  return typeof value === 'string' ? value : '';
};

export const subRunsChart: DurableChart = {
  id: 'subRuns',
  version: SUB_RUNS_CHART_VERSION,
  about:
    'The dispatcher of a job that coordinates: it collects sub-runs, starts them as their graph allows, and tells the parent.',
  versions: { 1: 'sub-runs of one parent', 2: 'sub-runs run again after the campaign has settled' },
  get machine() {
    return subRunsMachine();
  },
  senders: SENDERS,
  guards: subRunsGuardNotes,
  index(state) {
    const { parentJobId, graph } = readSubRunsContext(state);
    const value = String(state.value);
    const isEnded = value === 'settled' || value === 'closed';
    const running = countStatuses(graph).dispatched > 0;
    return {
      label: value,
      kind: 'subRuns',
      parent: parentJobId,
      slot: false,
      waitingSince: null,
      activity: isEnded ? 'ended' : running ? 'live' : 'parked',
    };
  },
  frames: () => [],
  createGivenUpEvent({ type, params, error }) {
    const attempt = Object(params).attempt as unknown;
    return {
      type: 'effect.givenUp',
      effect: type,
      name: readTextParam(params, 'name'),
      attempt: typeof attempt === 'number' ? attempt : 0,
      error,
    };
  },
  migrations: { 1: migrateTo2 },
};
