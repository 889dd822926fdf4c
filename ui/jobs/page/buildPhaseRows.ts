import type {
  JobTimeline,
  TimelineSpan,
  VisitTimes,
} from '../../../src/contract/schema/job/timeline.ts';
import { formatTimeOfDay, formatDay } from '../jobText.ts';

export interface PhaseBar {
  kind: TimelineSpan['kind'] | 'session';
  left: number;
  width: number;
  from: number;
  /** Epoch ms. */
  to: number;
  open: boolean;
  span: TimelineSpan | null;
}

export interface PhaseRow {
  visit: VisitTimes;
  bars: PhaseBar[];
  /** Restarts of the runner within it: place in percent, and epoch ms. */
  restarts: { left: number; at: number }[];
  /** Null = none were reported. */
  tokens: { read: number; written: number } | null;
}

export interface Axis {
  /** Epoch ms. */
  from: number;
  to: number;
  ticks: { left: number; text: string }[];
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const STEPS = [
  SECOND,
  5 * SECOND,
  15 * SECOND,
  30 * SECOND,
  MINUTE,
  5 * MINUTE,
  15 * MINUTE,
  30 * MINUTE,
  HOUR,
  3 * HOUR,
  6 * HOUR,
  12 * HOUR,
  DAY,
  2 * DAY,
  7 * DAY,
  30 * DAY,
  90 * DAY,
  365 * DAY,
];
/** Most marks on the axis. */
const MAX_TICKS = 5;
/** Least width of a bar, percent, so that short visits stay visible. */
const LEAST_WIDTH = 0.4;

/** `22 Nov` of `Sun 22 Nov 2026`. */
const formatShortDay = (at: number): string => formatDay(at).split(' ').slice(1, 3).join(' ');

/** Round times between two points, with the day where it changes. */
export function computeTicks(from: number, to: number): Axis['ticks'] {
  const length = Math.max(1, to - from);
  const step = STEPS.find((one) => length / one <= MAX_TICKS) ?? length;
  const zone = new Date(from).getTimezoneOffset() * MINUTE;
  const ticks: Axis['ticks'] = [];
  let day = formatDay(from);
  for (let at = Math.ceil((from - zone) / step) * step + zone; at < to; at += step) {
    const isNewDay = formatDay(at) !== day;
    day = formatDay(at);
    const time = formatTimeOfDay(at).slice(0, step < MINUTE ? 8 : 5);
    const text =
      step >= DAY ? formatShortDay(at) : isNewDay ? `${formatShortDay(at)}, ${time}` : time;
    ticks.push({ left: (100 * (at - from)) / length, text });
  }
  return ticks;
}

/** The visits of a job on one axis, which ends now or where the job ended. */
export function buildPhaseRows(
  { at, visits, spans, sessions, restarts }: JobTimeline,
  now: number,
): { axis: Axis; rows: PhaseRow[] } {
  const last = spans.at(-1);
  const from = Date.parse(spans[0]?.from ?? at);
  const to = Math.max(
    from + 1,
    last === undefined || last.to === null ? Math.max(now, Date.parse(at)) : Date.parse(last.to),
  );
  const place = (ms: number) => (100 * (Math.min(Math.max(ms, from), to) - from)) / (to - from);
  const bar = (
    kind: PhaseBar['kind'],
    one: { from: string; to: string | null },
    span: TimelineSpan | null,
  ): PhaseBar => {
    const begin = Date.parse(one.from);
    const end = one.to === null ? to : Date.parse(one.to);
    const width = Math.max(LEAST_WIDTH, place(end) - place(begin));
    const leftPercent = Math.min(place(begin), 100 - width);
    return { kind, left: leftPercent, width, from: begin, to: end, open: one.to === null, span };
  };
  const moments = restarts.map((one) => Date.parse(one));
  const rows = visits.map((visit) => {
    const begin = Date.parse(visit.from);
    const end = visit.to === null ? to : Date.parse(visit.to);
    const own = sessions.filter((session) => session.visit === visit.visit);
    const usages = own.flatMap(({ usage }) => usage ?? []);
    return {
      visit: extendOpenVisit(visit, spans, Date.parse(at), to),
      bars: [
        ...spans
          .filter((span) => span.visit === visit.visit)
          .map((span) => bar(span.kind, span, span)),
        ...own.map((session) => bar('session', session, null)),
      ],
      restarts: moments
        .filter((ms) => ms >= begin && ms <= end)
        .map((ms) => ({ left: place(ms), at: ms })),
      tokens:
        usages.length === 0
          ? null
          : {
              read: usages.reduce((sum, { inputTokens }) => sum + inputTokens, 0),
              written: usages.reduce((sum, { outputTokens }) => sum + outputTokens, 0),
            },
    };
  });
  return { axis: { from, to, ticks: computeTicks(from, to) }, rows };
}

const SUMS = { working: 'workMs', waiting: 'waitMs', queued: 'queuedMs' } as const;

/** Adds the time since the runner answered to a visit that is not over. */
function extendOpenVisit(
  visit: VisitTimes,
  spans: readonly TimelineSpan[],
  answeredAt: number,
  now: number,
): VisitTimes {
  const open = spans.find((span) => span.visit === visit.visit && span.to === null);
  if (!open) return visit;
  const sum = SUMS[open.kind];
  return { ...visit, [sum]: visit[sum] + Math.max(0, now - answeredAt) };
}
