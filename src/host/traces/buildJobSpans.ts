import type { PhaseVisit } from '../../contract/schema/job/job.ts';
import type { StateFrame } from '../../contract/schema/job/frames.ts';
import type { TimelineSpan, VisitTimes } from '../../contract/schema/job/timeline.ts';
import { computeJobTimes } from '../../jobs/views/history/computeJobTimes.ts';
import {
  PLAIN_SPAN,
  pickKnownAttributes,
  ROOT_KEY,
  toVisitKey,
  type TraceSpan,
} from './traceSpan.ts';

/** What is committed of a job, and decides about its spans. */
export interface JobFacts {
  jobId: string;
  /** Such as `job`. */
  kind: string;
  workflow: string;
  repository: string | null;
  /** The job whose sub-run it is; null = none. */
  parentJob: string | null;
  /** Oldest first. */
  states: readonly StateFrame[];
  visits: readonly PhaseVisit[];
  /** Epoch ms. */
  restarts: readonly number[];
}

export interface EndedSession {
  visit: number;
  session: number;
  phase: string;
  /** Epoch ms. */
  from: number;
  to: number;
}

interface EndedJobParts {
  /** The job, its phases and its waits. */
  spans: TraceSpan[];
  sessions: EndedSession[];
  /** Visits of phases, by number. */
  visits: number[];
}

/** From the start of a job, or from what continued it after an end, to its end. */
interface Stint {
  key: string;
  from: number;
  to: number | null;
  /** The state in which it ended, such as `failed`. */
  outcome: string | null;
}

const FAILED_OUTCOMES: ReadonlySet<string> = new Set(['failed', 'escalated']);

const readOutcome = ({ state }: StateFrame): string => state[0]?.split('.').at(-1) ?? 'ended';

/** An ended job may be continued: what follows is a stint of its own below the first one. */
function listStints(states: readonly StateFrame[]): Stint[] {
  const stints: Stint[] = [];
  for (const frame of states) {
    const last = stints.at(-1);
    const at = Date.parse(frame.at);
    if (last === undefined || last.to !== null) {
      if (frame.ended) continue;
      const key = last === undefined ? ROOT_KEY : `${ROOT_KEY}/${stints.length}`;
      stints.push({ key, from: at, to: null, outcome: null });
    } else if (frame.ended) {
      last.to = at;
      last.outcome = readOutcome(frame);
    }
  }
  return stints;
}

/** The spans of a job that have ended, as its timeline has them, but for those within sessions. */
export function buildJobSpans(facts: JobFacts): EndedJobParts {
  const { states, visits } = facts;
  const [first] = states;
  if (first === undefined) return { spans: [], sessions: [], visits: [] };
  const times = computeJobTimes({ states, visits, usage: [], restarts: [], now: first.at });
  const stints = listStints(states);
  const findStint = (at: number) => stints.findLast(({ from }) => from <= at)?.key ?? ROOT_KEY;
  const endedVisits = times.visits.filter(({ to }) => to !== null);
  const phases = new Map(visits.map(({ visit, phase }) => [visit, phase]));
  return {
    spans: [
      ...stints.flatMap((stint) => toStintSpan(facts, stint)),
      ...endedVisits.map((visit) => toVisitSpan(visit, findStint(Date.parse(visit.from)))),
      ...times.spans.flatMap((span, index) =>
        toWaitSpan(span, index, phases.has(span.visit) ? toVisitKey(span.visit) : ROOT_KEY),
      ),
    ],
    sessions: times.sessions.flatMap(({ visit, session, from, to }) =>
      to === null
        ? []
        : [
            {
              visit,
              session,
              phase: phases.get(visit) ?? '',
              from: Date.parse(from),
              to: Date.parse(to),
            },
          ],
    ),
    visits: endedVisits.map(({ visit }) => visit),
  };
}

function toStintSpan(
  { jobId, kind, workflow, repository, parentJob, restarts }: JobFacts,
  { key, from, to, outcome }: Stint,
): TraceSpan[] {
  if (to === null) return [];
  const isRoot = key === ROOT_KEY;
  return [
    {
      ...PLAIN_SPAN,
      key,
      parent: isRoot ? null : ROOT_KEY,
      name: `invoke_workflow ${workflow}`,
      from,
      to,
      attributes: pickKnownAttributes({
        'gen_ai.operation.name': 'invoke_workflow',
        'gen_ai.agent.name': workflow,
        'svc.job.id': jobId,
        'svc.job.kind': kind,
        'svc.job.outcome': outcome,
        'svc.job.parent': parentJob,
        'svc.repository': repository,
      }),
      error: outcome !== null && FAILED_OUTCOMES.has(outcome) ? outcome : null,
      events: restarts
        .filter((at) => at >= from && at <= to)
        .map((at) => ({ name: 'svc.runner.restarted', at })),
      linkedJob: isRoot ? parentJob : null,
    },
  ];
}

function toVisitSpan({ visit, phase, outcome, from, to }: VisitTimes, parent: string): TraceSpan {
  return {
    ...PLAIN_SPAN,
    key: toVisitKey(visit),
    parent,
    name: `phase ${phase}`,
    from: Date.parse(from),
    to: Date.parse(to ?? from),
    attributes: pickKnownAttributes({
      'svc.phase': phase,
      'svc.phase.visit': visit,
      'svc.phase.outcome': outcome,
    }),
    error: outcome !== null && FAILED_OUTCOMES.has(outcome) ? outcome : null,
  };
}

function toWaitSpan(
  { kind, waitsFor, from, to, visit }: TimelineSpan,
  index: number,
  parent: string,
): TraceSpan[] {
  // A slot that was free at once is no wait.
  if (to === null || to === from || kind === 'working') return [];
  const reason = kind === 'queued' ? 'slot' : (waitsFor ?? 'other');
  return [
    {
      ...PLAIN_SPAN,
      key: `wait/${index}`,
      parent,
      name: `wait ${reason}`,
      from: Date.parse(from),
      to: Date.parse(to),
      attributes: { 'svc.wait.for': reason, 'svc.phase.visit': visit },
    },
  ];
}
