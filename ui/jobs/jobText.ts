import { API_PATH } from '../shell/apiPath.ts';
import { isJobUnreadable } from '../../src/base/jobs/isJobUnreadable.ts';
import { revealTurningCharacters } from '../shell/markdown/revealTurningCharacters.ts';
import type { JobSummary, ParkKind, PhaseVisit } from '../../src/contract/schema/job/job.ts';

/** How a job is marked in lists; what a person should look at first comes first. */
export const TONES = [
  'needs-you',
  'working',
  'queued',
  'waiting',
  'bad',
  'partial',
  'good',
  'over',
] as const;
export type Tone = (typeof TONES)[number];

/** Headings of the board, and what a reader of the screen hears of a mark. */
export const TONE_NAMES: Readonly<Record<Tone, string>> = {
  'needs-you': 'Needs you',
  working: 'Working',
  queued: 'Queued',
  waiting: 'Waiting',
  bad: 'Failed',
  partial: 'Partly complete',
  good: 'Complete',
  over: 'Cancelled',
};

const BAD = new Set(['failed', 'escalated']);

/** Kinds of parking that only a person can end. */
const FOR_A_PERSON: ReadonlySet<ParkKind> = new Set<ParkKind>([
  'approval',
  'developer',
  'halted',
  'external',
  'flagged',
]);

/** Tone of a job: it needs a person, is at work, waits for something else, or how it ended. */
export function pickJobTone(
  job: Pick<
    JobSummary,
    'status' | 'ended' | 'parked' | 'needs' | 'snoozed' | 'subRunFailures' | 'broken'
  >,
): Tone {
  // A person has to repair the job.
  if (isJobUnreadable(job.broken)) return 'needs-you';
  if (job.needs) return 'needs-you';
  if (job.ended && job.subRunFailures) return 'partial';
  if (job.ended) return job.status === 'complete' ? 'good' : BAD.has(job.status) ? 'bad' : 'over';
  // As the runner counts it.
  if (job.parked && job.snoozed) return 'waiting';
  if (job.parked)
    return FOR_A_PERSON.has(job.parked.kind) || job.parked.needsPerson ? 'needs-you' : 'waiting';
  return job.status === 'queued' ? 'queued' : 'working';
}

/** Tone of the state alone: what has failed is bad, also while it needs a person. */
export const pickStateTone = (job: Parameters<typeof pickJobTone>[0]): Tone =>
  job.ended && BAD.has(job.status) ? 'bad' : pickJobTone(job);

const STEPS: readonly (readonly [ms: number, unit: string])[] = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
];

/**
 * Time since `iso` in one unit: `3 min`, `2 h`, `now` below a minute or when the clocks differ.
 * `now` is epoch ms.
 */
export function formatAge(iso: string, now: number): string {
  const ms = now - Date.parse(iso);
  const step = STEPS.find(([size]) => ms >= size);
  return step ? `${Math.floor(ms / step[0])} ${step[1]}` : 'now';
}

/**
 * A length of time in its two largest units: `40 ms`, `1.4 s`, `12 s`, `3 min 5 s`, `2 h 10 min`.
 * Never negative.
 */
export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  const [d, h, min, s] = [
    Math.floor(seconds / 86_400),
    Math.floor(seconds / 3_600) % 24,
    Math.floor(seconds / 60) % 60,
    seconds % 60,
  ];
  const parts = [d && `${d} d`, h && `${h} h`, min && `${min} min`, s && `${s} s`].filter(Boolean);
  return parts.slice(0, 2).join(' ');
}

/** Time of day of an ISO date or epoch ms, as this browser's clock shows it: `14:03:59`. */
export const formatTimeOfDay = (at: string | number): string =>
  new Date(at).toTimeString().slice(0, 8);

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Day of an ISO date or epoch ms in this browser's time zone: `Sun 22 Nov 2026`. */
export function formatDay(at: string | number): string {
  const date = new Date(at);
  return `${DAYS[date.getDay()]} ${date.getDate()} ${MONTHS[date.getMonth()]} ${date.getFullYear()}`;
}

/** Time of day, with the day where it is not that of `now` (epoch ms): `Sat 21 Nov, 14:03:59`. */
export function formatTimeWithDay(at: string | number, now: number): string {
  const [day, today] = [formatDay(at), formatDay(now)];
  if (day === today) return formatTimeOfDay(at);
  const year = today.slice(-5);
  return `${day.endsWith(year) ? day.slice(0, -5) : day}, ${formatTimeOfDay(at)}`;
}

/** The same without seconds: `Sat 21 Nov, 14:03`. */
export const formatMinuteWithDay = (at: string | number, now: number): string =>
  formatTimeWithDay(at, now).slice(0, -3);

/** Day and time for the title of an age. */
export const formatDateTime = (at: string | number): string => new Date(at).toLocaleString();

/** How approvers came in. The token names no person: every program of the same user can read it. */
const APPROVED: Readonly<Record<string, string>> = {
  token: 'approved with the token',
  login: 'approved in the dashboard',
  open: 'approved without a login',
  autoApprove: 'approved in advance',
};

/** Status of a visit of a phase: running, or how it ended. */
export function describePhaseVisit(
  visit: Pick<PhaseVisit, 'endedAt' | 'outcome' | 'approvedBy' | 'approvedPerson'>,
): string {
  if (visit.approvedPerson !== undefined) return `approved by ${visit.approvedPerson}`;
  if (visit.approvedBy !== null)
    return APPROVED[visit.approvedBy] ?? `approved by ${visit.approvedBy}`;
  return visit.outcome?.replaceAll('_', ' ') ?? (visit.endedAt === null ? 'running' : 'ended');
}

/** `2048` → `2 KiB`. */
export const formatKibibytes = (bytes: number): string =>
  bytes < 1024 ? `${bytes} B` : `${Math.ceil(bytes / 1024)} KiB`;

/** `1234567` → `1.2 M`, `12345` → `12.3 k`. */
export function formatShortCount(n: number): string {
  if (n >= 1_000_000) return `${(n / 1_000_000).toFixed(1)} M`;
  return n >= 1_000 ? `${(n / 1_000).toFixed(1)} k` : String(n);
}

/** `52005` → `52,005`. */
export const formatThousands = (n: number): string => n.toLocaleString('en');

export const toLogTextUrl = (jobId: string): string =>
  `${API_PATH}/jobs/${encodeURIComponent(jobId)}/log.txt`;

export const toArtefactUrl = (jobId: string, artefactId: string): string =>
  `${API_PATH}/jobs/${encodeURIComponent(jobId)}/artifacts/${encodeURIComponent(artefactId)}/content`;

/** First line of a description (see shownText), or the id of a job that has none. */
export const formatJobTitle = (job: Pick<JobSummary, 'id' | 'description'>): string =>
  revealTurningCharacters(job.description.split('\n', 1)[0]?.trim() || job.id);
