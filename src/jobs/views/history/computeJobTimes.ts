import type { StateFrame } from '../../../contract/schema/job/frames.ts';
import { ParkKind, type PhaseVisit } from '../../../contract/schema/job/job.ts';
import type { PhaseUsage } from '../../../contract/schema/session/sessionRecords.ts';
import type {
  JobTimeline,
  TimelineSession,
  TimelineSpan,
  VisitTimes,
} from '../../../contract/schema/job/timeline.ts';

/** The rows that tell where a job's time went. `now` and `restarts` are ISO 8601. */
export interface JobHistory {
  /** Oldest first. */
  states: readonly StateFrame[];
  visits: readonly PhaseVisit[];
  usage: readonly PhaseUsage[];
  restarts: readonly string[];
  now: string;
}

const IN_SESSION = new Set(['working.inSession', 'working.stopping']);
const PARK_KINDS: ReadonlySet<string> = new Set(ParkKind.anyOf.map((one) => one.const));
const isParkKind = (text: string): text is ParkKind => PARK_KINDS.has(text);

/** What the job does in a state; null = it has ended. */
const classifySpan = ({ state, ended }: StateFrame): TimelineSpan['kind'] | null => {
  if (ended) return null;
  const top = state[0]?.split('.')[0];
  return top === 'working' ? 'working' : top === 'queued' ? 'queued' : 'waiting';
};

export function computeJobTimes({
  states,
  visits,
  usage,
  restarts,
  now,
}: JobHistory): Omit<JobTimeline, 'running' | 'phases'> {
  const spans = buildTimelineSpans(states);
  return {
    at: now,
    visits: sumVisitTimes(spans, visits, Date.parse(now)),
    spans,
    sessions: buildTimelineSessions(states, usage),
    restarts: [...restarts],
  };
}

function buildTimelineSpans(states: readonly StateFrame[]): TimelineSpan[] {
  const spans: TimelineSpan[] = [];
  let open: TimelineSpan | null = null;
  for (const frame of states) {
    const { at, visit, parked } = frame;
    const kind = classifySpan(frame);
    const waitsFor = kind === 'waiting' && parked && isParkKind(parked.kind) ? parked.kind : null;
    if (open && open.kind === kind && open.visit === visit && open.waitsFor === waitsFor) {
      if (parked) open.reason = parked.reason;
      continue;
    }
    if (open) open.to = at;
    open = kind && {
      kind,
      visit,
      waitsFor,
      reason: kind === 'waiting' ? (parked?.reason ?? null) : null,
      from: at,
      to: null,
    };
    if (open) spans.push(open);
  }
  // A job queues for its next visit, not for the past one.
  return spans.map((span, index) => {
    const next = spans[index + 1];
    return span.kind === 'queued' && next?.kind === 'working'
      ? { ...span, visit: next.visit }
      : span;
  });
}

function buildTimelineSessions(
  states: readonly StateFrame[],
  usage: readonly PhaseUsage[],
): TimelineSession[] {
  const sessions: TimelineSession[] = [];
  let open: TimelineSession | null = null;
  for (const { at, visit, state } of states) {
    const inSession = state.some((path) => IN_SESSION.has(path));
    if (open && !inSession) {
      open.to = at;
      open = null;
    }
    if (open || !inSession) continue;
    const session = 1 + sessions.filter((earlier) => earlier.visit === visit).length;
    const sessionUsage = usage.find((one) => one.visit === visit && one.session === session);
    open = { visit, session, from: at, to: null, usage: sessionUsage?.usage ?? null };
    sessions.push(open);
  }
  return sessions;
}

const SUMS = { working: 'workMs', waiting: 'waitMs', queued: 'queuedMs' } as const;

function sumVisitTimes(
  spans: readonly TimelineSpan[],
  visits: readonly PhaseVisit[],
  now: number,
): VisitTimes[] {
  return visits.map(({ visit, phase, outcome, startedAt, endedAt }) => {
    const own = spans.filter((span) => span.visit === visit);
    const times: VisitTimes = {
      visit,
      phase,
      outcome,
      from: own[0]?.from ?? startedAt,
      to: own.length === 0 ? endedAt : (own.at(-1)?.to ?? null),
      workMs: 0,
      waitMs: 0,
      queuedMs: 0,
    };
    for (const { kind, from, to } of own)
      times[SUMS[kind]] += Math.max(0, (to === null ? now : Date.parse(to)) - Date.parse(from));
    return times;
  });
}
