import { readFirstNames } from '../../src/base/json/listLeafPaths.ts';
import type { RowChange } from '../../src/contract/records/changes.ts';
import type { TransitionCause } from '../../src/contract/schema/workflow/workflowRuns.ts';
import type { ActorState } from '../../src/kernel/chart.ts';
import { toEventTime } from '../kit/eventTime.ts';
import type { JobContext } from './jobContext.ts';
import type { JobEvent } from './jobEvents.ts';
import { toEventKey } from './rules/eventKey.ts';
import { findNextPhase, findPhase, findReadingPhase } from './rules/phases.ts';

type TransitionRow = RowChange<'phase_transitions'>;

/** One step of a job's chart: the context before and after it. */
interface ContextStep {
  was: JobContext;
  now: JobContext;
  event: JobEvent;
  /** Where the job waited for an approval, or whatever the state before was. */
  from: 'approval' | 'other';
}

const MERGED = toEventKey('merged');

/** What led on by itself: the end of a phase, or an approval of it. */
function deriveOnwardCause({ was, event, from }: ContextStep, phase: string, to: string) {
  const { workflow, signals, unread, awaited } = was;
  const { coordinator } = workflow;
  if (coordinator?.parkPhase === phase && coordinator.resumePhase === to) return 'sub-runs';
  // A goto_phase to the next phase leads where the end of the phase would.
  const next = findNextPhase(workflow, phase);
  if (from === 'approval' || (awaited === null && signals.await === null)) {
    if (next === undefined ? to === '(complete)' : to === next.name)
      return findPhase(workflow, phase)?.interactive_checkpoint === true ? 'approved' : 'finished';
  }
  if (signals.goto?.phase === to) return 'goto';
  if (event.type === 'job.resume') return 'resumed';
  return unread.messages > 0 ? 'message' : 'other';
}

function deriveCause(step: ContextStep, phase: string, to: string): TransitionCause {
  const { was, now, event } = step;
  if (now.gateBlocks > was.gateBlocks) return 'blocked';
  if (now.workflowPathHistory !== was.workflowPathHistory) return 'switched';
  // An event that has come before the agent asked to wait for it.
  const key = was.signals.await === null ? null : (now.next?.eventKey ?? null);
  switch (event.type) {
    case 'job.rerun':
      return 'rerun';
    case 'job.message':
      return 'message';
    case 'subRuns.settled':
      return 'sub-runs';
    case 'forge.event':
      return deriveNewsCause(was, phase, to, event.event.kind === 'merged');
    case 'job.resume':
      return event.eventKey === 'reject' ? 'rejected' : deriveOnwardCause(step, phase, to);
    default:
      return key === null
        ? deriveOnwardCause(step, phase, to)
        : deriveNewsCause(was, phase, to, key === MERGED);
  }
}

/** A merge that leads back, as another pull request of the work item is open, is news like others. */
const deriveNewsCause = (
  { workflow }: JobContext,
  phase: string,
  to: string,
  merged: boolean,
): TransitionCause =>
  merged && findReadingPhase(workflow, phase)?.name !== to ? 'merged' : 'news';

/** The phase that was chosen for the next visit in this step; null = none was. */
function readChosenPhase({ was, now }: ContextStep): string | null {
  const { next } = now;
  if (next === null)
    return now.visit > was.visit && (was.next === null || was.next.sameVisit) ? now.phase : null;
  if (next.sameVisit) return null;
  const known = was.next !== null && !was.next.sameVisit && was.next.phase === next.phase;
  return known ? null : next.phase;
}

/** These keep the job in its phase, although the phase begins with a new visit. */
const KEEPS_PHASE: ReadonlySet<string> = new Set(['job.pause', 'until.reached', 'phase.postponed']);

/**
 * The transitions between the phases of its workflow that a job took in this step, also those to its
 * end, and to the wait for a budget. A visit leaves at most one of each kind: a later choice
 * before the next visit begins replaces the earlier one.
 */
export function buildTransitionRows(
  before: ActorState | undefined,
  after: ActorState,
  event: JobEvent & { at?: number },
): TransitionRow[] {
  if (before === undefined) return [];
  const [was, now] = [before.context as JobContext, after.context as JobContext];
  if (was === now) return [];
  const [wasTop, wasLeaf] = readFirstNames(before.value);
  const [nowTop, nowLeaf] = readFirstNames(after.value);
  const from = wasTop === 'parked' && wasLeaf === 'approval' ? 'approval' : 'other';
  const step: ContextStep = { was, now, event, from };
  const rows: TransitionRow[] = [];
  const add = (
    kind: 'wait' | 'next' | 'end' | 'budget',
    phase: string,
    to: string,
    cause: TransitionCause,
  ) =>
    rows.push({
      op: 'put',
      table: 'phase_transitions',
      row: {
        job_id: now.id,
        visit: was.visit,
        kind,
        at: toEventTime(now, event),
        workflow: was.workflowPath,
        from_phase: phase,
        to_phase: to,
        cause,
      },
    });

  // A job that awaits an event shows the phase in which workflows wait.
  const waits = was.signals.await !== null && now.visit === was.visit && now.phase !== was.phase;
  const waitsIn = waits ? now.phase : null;
  if (waitsIn !== null) add('wait', was.phase, waitsIn, 'finished');
  const phase = waitsIn ?? was.phase;
  const chosenPhase = KEEPS_PHASE.has(event.type) ? null : readChosenPhase(step);
  if (chosenPhase !== null) add('next', phase, chosenPhase, deriveCause(step, phase, chosenPhase));
  if (nowTop === 'ended' && wasTop !== 'ended') {
    const to = `(${nowLeaf ?? 'ended'})`;
    const cause = nowLeaf === 'complete' ? deriveCause(step, phase, to) : 'ended';
    add('end', phase, to, cause);
  }
  if (now.parked?.kind === 'budget' && was.parked?.kind !== 'budget')
    add('budget', now.next?.phase ?? phase, '(budget)', 'budget');
  return rows;
}
