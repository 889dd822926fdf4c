import type { PhaseVisit } from '../../../src/schema/job.ts';
import type { JournalEntry } from '../../../src/schema/replies.ts';

/** One thing in the life of a job. */
export interface TimelineEntry {
  /** `seq` of the journal row that it began with. */
  seq: number;
  kind: 'phase' | 'session' | 'tool' | 'wait' | 'person' | 'forge' | 'end';
  title: string;
  /** Reason, outcome or text; empty = none. */
  detail: string;
  /** Epoch ms. */
  at: number;
  /** Epoch ms of its end; null = it is under way, or it has no length. */
  until: number | null;
  /** True while it is under way. */
  open: boolean;
}

const WAITS: Readonly<Record<string, string>> = {
  queued: 'Waiting for a slot',
  'parked.approval': 'Waiting for approval',
  'parked.event': 'Waiting for a pull request',
  'parked.external': 'Waiting for a person',
  'parked.quota': "Waiting for the model's quota",
  'parked.outage': 'Waiting for a service that does not answer',
  'parked.developer': 'Waiting for a developer',
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

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** What a person did with a command, in a few words. */
function personDetail(event: EventMembers): string {
  if (event['eventKey'] === 'approve') return 'approved';
  if (event['eventKey'] === 'reject') return 'rejected';
  return (
    textOf(event['text']) ||
    textOf(event['reason']) ||
    textOf(event['phase']) ||
    textOf(event['eventKey'])
  );
}

function toolTitle(event: EventMembers): string {
  const name = event.type.slice('tool.'.length);
  return name === 'forge_write' ? `${textOf(event['forge'])} ${textOf(event['operation'])}` : name;
}

const toolDetail = (event: EventMembers): string =>
  textOf(event['title']) ||
  textOf(event['text']) ||
  textOf(event['message']) ||
  textOf(event['phase']) ||
  textOf(event['prId']);

/**
 * The life of a job, read from its journal, oldest first: phases, sessions, tools, waits with their
 * reason, what people and forges did. `reasons`: why it was parked, by the ISO date since when.
 */
export function timelineOf(
  journal: readonly JournalEntry[],
  visits: readonly PhaseVisit[],
  reasons: Readonly<Record<string, string>>,
): TimelineEntry[] {
  const entries: TimelineEntry[] = [];
  const phaseOf = new Map(visits.map(({ visit, phase }) => [visit, phase]));
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
    const entry = { seq: row.seq, kind, title, detail, at: row.at, until: null, open };
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
    if (event.type.startsWith('tool.')) add(row, 'tool', toolTitle(event), toolDetail(event));
    else if (event.type === 'session.ended') {
      close(session, row.at);
      if (session)
        session.detail = textOf(event['error']) || textOf(event['stopReason']).replaceAll('_', ' ');
      session = null;
    } else if (event.type === 'phase.prepared')
      add(row, 'phase', phaseOf.get(visit) ?? `visit ${visit}`);
    else if (event.type === 'forge.event') {
      const said = (event['event'] ?? {}) as Record<string, unknown>;
      add(
        row,
        'forge',
        `${textOf(said['author'])} ${textOf(said['kind']).replaceAll('_', ' ')}`,
        textOf(said['text']),
      );
    } else if (event.type in PERSON)
      add(row, 'person', PERSON[event.type] ?? event.type, personDetail(event));

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
  // A slot that was free immediately is no wait.
  return entries.filter(
    (entry) =>
      entry.title !== WAITS['queued'] || entry.open || (entry.until ?? 0) - entry.at >= 100,
  );
}
