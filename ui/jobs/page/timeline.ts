import { toStringOrEmpty } from '../../../src/base/json/untrusted.ts';
import type { PhaseVisit } from '../../../src/contract/schema/job/job.ts';
import type { JournalEntry } from '../../../src/contract/schema/api/replies.ts';

export interface TimelineEntry {
  /** `seq` of the journal row that it began with. */
  seq: number;
  kind: 'phase' | 'session' | 'tool' | 'wait' | 'person' | 'forge' | 'restart' | 'end';
  title: string;
  /** Reason, outcome or text; empty = none. */
  detail: string;
  /** Epoch ms. */
  at: number;
  /** Epoch ms of its end; null = it is under way, or it has no length. */
  until: number | null;
  /** True while it is under way. */
  open: boolean;
  /** How often it happened in a row; the other members are those of the first. */
  times: number;
}

const WAITS: Readonly<Record<string, string>> = {
  queued: 'Queued',
  'parked.approval': 'Waiting for approval',
  'parked.event': 'Waiting for a pull request',
  'parked.external': 'Waiting for something outside svc',
  'parked.quota': "Waiting for the model's quota",
  'parked.budget': 'Waiting for a budget',
  'parked.outage': 'Waiting for a service or a repair',
  'parked.developer': 'Waiting for you',
  'parked.paused': 'Paused',
  'parked.subRuns': 'Waiting for its sub-runs',
  'parked.halted': 'Campaign halted',
};

const PERSON: Readonly<Record<string, string>> = {
  'job.resume': 'Resumed',
  'job.message': 'Message',
  'job.pause': 'Paused by a developer',
  'job.cancel': 'Cancelled by a developer',
  'job.rerun': 'Phase rerun',
};

/** The members of an event differ by its type; an absent one reads as undefined. */
type EventMembers = { type: string; [member: string]: unknown };

function describePersonEvent(event: EventMembers): string {
  if (event['eventKey'] === 'approve') return 'approved';
  if (event['eventKey'] === 'reject') return 'rejected';
  return (
    toStringOrEmpty(event['text']) ||
    toStringOrEmpty(event['reason']) ||
    toStringOrEmpty(event['phase']) ||
    toStringOrEmpty(event['eventKey'])
  );
}

const STOPS: Readonly<Record<string, string>> = {
  end_turn: 'agent finished',
  pause_turn: 'agent asked for a new session',
};

const describeSessionStop = (reason: string): string =>
  STOPS[reason] ?? reason.replaceAll('_', ' ');

/** Whether a start of the runner wrote it, for a job that had been at work when it ended. */
const isRestartEvent = (event: EventMembers): boolean =>
  event.type === 'kernel.recovered' ||
  (event.type === 'effect.givenUp' && event['why'] === 'restarts-without-progress');

/** What is done at which forge: `create pr (local)`. */
const describeForgeWrite = (event: EventMembers): string =>
  `${toStringOrEmpty(event['operation']).replaceAll('_', ' ')} (${toStringOrEmpty(event['forge'])})`;

const formatToolDetail = (event: EventMembers): string =>
  (event.type === 'tool.forge_write' ? describeForgeWrite(event) : '') ||
  toStringOrEmpty(event['title']) ||
  toStringOrEmpty(event['text']) ||
  toStringOrEmpty(event['message']) ||
  toStringOrEmpty(event['phase']) ||
  toStringOrEmpty(event['prId']);

/**
 * The life of a job, read from its journal, oldest first: phases, sessions, tools, waits with their
 * reason, what people and forges did. `reasons`: why it was parked, by the ISO date since when.
 */
export function buildTimeline(
  journal: readonly JournalEntry[],
  visits: readonly PhaseVisit[],
  reasons: Readonly<Record<string, string>>,
): TimelineEntry[] {
  const entries: TimelineEntry[] = [];
  const phaseByVisit = new Map(visits.map(({ visit, phase }) => [visit, phase]));
  let session: TimelineEntry | null = null;
  let wait: (TimelineEntry & { state: string }) | null = null;
  let state = '';

  const add = (
    row: JournalEntry,
    kind: TimelineEntry['kind'],
    title: string,
    detail = '',
    open = false,
  ): TimelineEntry => {
    const entry = { seq: row.seq, kind, title, detail, at: row.at, until: null, open, times: 1 };
    entries.push(entry);
    return entry;
  };
  const close = (entry: TimelineEntry | null, at: number) => {
    if (entry === null) return;
    entry.until = at;
    entry.open = false;
  };

  for (const row of journal) {
    const { path } = row;
    const event: EventMembers = row.event;
    const visit = Number(event['visit'] ?? 0);
    if (event.type.startsWith('tool.'))
      add(row, 'tool', event.type.slice('tool.'.length), formatToolDetail(event));
    else if (event.type === 'session.ended') {
      close(session, row.at);
      if (session)
        session.detail =
          toStringOrEmpty(event['error']) ||
          describeSessionStop(toStringOrEmpty(event['stopReason']));
      session = null;
    } else if (event.type === 'phase.prepared')
      add(row, 'phase', phaseByVisit.get(visit) ?? `visit ${visit}`);
    else if (event.type === 'forge.event') {
      const eventBody = (event['event'] ?? {}) as Record<string, unknown>;
      add(
        row,
        'forge',
        `${toStringOrEmpty(eventBody['author'])} ${toStringOrEmpty(eventBody['kind']).replaceAll('_', ' ')}`,
        toStringOrEmpty(eventBody['text']),
      );
    } else if (isRestartEvent(event)) {
      // One mark, however many effects were run again.
      const before = entries.findLast(({ kind }) => kind === 'restart');
      if (before?.at !== row.at) add(row, 'restart', 'Runner restarted here');
    } else if (event.type in PERSON)
      add(row, 'person', PERSON[event.type] ?? event.type, describePersonEvent(event));

    const now = path.at(-1) ?? state;
    if (wait !== null && now !== wait.state) {
      close(wait, row.at);
      wait = null;
    }
    if (now !== state && now === 'working.inSession')
      session ??= add(row, 'session', 'Session', '', true);
    if (now !== state && now in WAITS) {
      const entry = add(
        row,
        'wait',
        WAITS[now] ?? now,
        reasons[new Date(row.at).toISOString()] ?? '',
        true,
      );
      wait = Object.assign(entry, { state: now });
    }
    if (now !== state && now.startsWith('ended.')) {
      close(session, row.at);
      session = null;
      add(row, 'end', now.slice('ended.'.length));
    }
    state = now;
  }
  // Getting a free slot immediately does not count as a wait.
  return entries.filter(
    (entry) =>
      entry.title !== WAITS['queued'] || entry.open || (entry.until ?? 0) - entry.at >= 100,
  );
}

/** A tool that was called this often in a row is one entry. */
const MANY_CALLS = 3;

/** The same entries with calls of one tool in a row as one. */
export function joinToolCalls(entries: readonly TimelineEntry[]): TimelineEntry[] {
  const rows: TimelineEntry[] = [];
  for (let from = 0; from < entries.length; ) {
    const first = entries[from];
    if (!first) break;
    let to = from + 1;
    while (
      first.kind === 'tool' &&
      entries[to]?.kind === 'tool' &&
      entries[to]?.title === first.title
    )
      to += 1;
    const times = to - from;
    if (times >= MANY_CALLS)
      rows.push({ ...first, times, until: entries[to - 1]?.at ?? null, detail: '' });
    else rows.push(...entries.slice(from, to));
    from = to;
  }
  return rows;
}

/**
 * The entries of each visit of a phase; what came before the first visit is with it. What happens in
 * the moment in which a visit begins ended the one before, but for its wait for a slot.
 */
export function groupByVisit(
  entries: readonly TimelineEntry[],
  visits: readonly { visit: number; from: string }[],
): Map<number, TimelineEntry[]> {
  const entriesByVisit = new Map<number, TimelineEntry[]>(visits.map(({ visit }) => [visit, []]));
  const begins = visits.map(({ visit, from }) => ({ visit, from: Date.parse(from) }));
  for (const entry of entries) {
    if (entry.kind === 'phase') continue;
    const own =
      begins.findLast(
        ({ from }) => from < entry.at || (from === entry.at && entry.kind === 'wait'),
      ) ?? begins[0];
    if (own) entriesByVisit.get(own.visit)?.push(entry);
  }
  return entriesByVisit;
}
