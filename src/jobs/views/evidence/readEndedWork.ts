import type { EvidenceQuote } from '../../../contract/job/jobEvidence.ts';
import { shorten } from '../../../base/text/clip.ts';
import { toIsoTime } from '../../../base/time/toIsoTime.ts';
import { MAX_QUOTE_CHARS } from '../../../base/agents/selfUpdate.ts';
import type { FrameReader } from '../../../kernel/sqlite/frameReader.ts';
import type { ListedJob } from '../../store/queries/toListedJob.ts';
import type { RowReader } from '../../../contract/records/rowReader.ts';
import type { LogFrame, StateFrame } from '../../../contract/schema/job/frames.ts';
import type { Tables } from '../../../contract/records/tables.ts';

export interface EvidenceRows {
  rows: Pick<RowReader, 'all' | 'one'>;
  frames: Pick<FrameReader, 'ofKind' | 'readTagged'>;
}

export type EndedJob = Pick<ListedJob, 'id' | 'workflow' | 'phase' | 'since' | 'escalation'>;

export interface EndedVisit {
  phase: string;
  outcome: string | null;
  rated: boolean;
  /** Known dollars. */
  usd: number;
  tokens: number;
}

/** What the rows of an ended job show about its work. */
export interface EndedWork {
  visits: EndedVisit[];
  /** Oldest first. */
  quotes: EvidenceQuote[];
}

type VisitRow = Tables['phase_visits'];
type EndedQuote = Pick<EvidenceQuote, 'kind' | 'by' | 'text' | 'phase'> & { at: number };

/** Outcome of a visit that the completion gate refused, and the tag of its line. */
export const GATE = 'completion-gate';
const MAX_GATE_LINES = 10;

const RERUN = 'job.rerun';

const listGuardrailQuotes = (rows: EvidenceRows['rows'], id: string): EndedQuote[] =>
  [
    ...rows.all('guardrail_decisions', { job_id: id }).filter(({ result }) => result !== 'note'),
    ...rows.all('forbidden_calls', { job_id: id }),
  ].map(({ rule, tool, message, phase, at, times }) => ({
    kind: 'refusal',
    by: rule,
    phase,
    at,
    text: `${tool} (${times}x): ${message}`,
  }));

const listRatingFlags = (rows: EvidenceRows['rows'], id: string): EndedQuote[] =>
  rows.all('decisions', { job_id: id, site: 'overseer' }).flatMap((row): EndedQuote[] => {
    const { key, phase, at, flag, unmet } = row;
    const label = rows.all('decision_labels', { job_id: id, key })[0];
    const bad = label?.verdict === 'bad' ? label : null;
    return [
      ...(flag === null
        ? []
        : [
            {
              kind: 'flag' as const,
              by: 'decision-layer',
              phase,
              at,
              text: unmet === null ? flag : `${flag}; looks unmet: ${unmet}`,
            },
          ]),
      ...(bad === null
        ? []
        : [
            {
              kind: 'called-bad' as const,
              by: 'person',
              phase,
              at: bad.at,
              text: bad.note ?? 'A person called the work of this phase bad.',
            },
          ]),
    ];
  });

/** Uses committed rows alone. */
export function readEndedWork({ rows, frames }: EvidenceRows, job: EndedJob): EndedWork {
  const { id, workflow } = job;
  const visits = rows.all('phase_visits', { job_id: id }, { order: 'visit' });
  const phaseAt = (at: number): string =>
    visits.findLast((visit) => visit.started_at <= at)?.phase ?? job.phase;

  const messages = rows
    .all('inbox_items', { job_id: id }, { order: 'n' })
    .filter(
      // A suspected attempt to give other instructions is not evidence.
      ({ kind, held, override }) =>
        held === null &&
        override === null &&
        (kind === 'message' || kind === 'event:changes_requested'),
    )
    .map(
      ({ kind, at, author, text }): EndedQuote => ({
        kind: kind === 'message' ? 'message' : 'changes-requested',
        by: author,
        phase: phaseAt(at),
        at,
        text,
      }),
    );

  const reruns = frames
    .ofKind(id, 'state', 0)
    .filter(({ data }) => data.includes(`"${RERUN}"`))
    .map(({ data }) => JSON.parse(data) as StateFrame)
    .filter(({ event }) => event === RERUN)
    .map((frame): EndedQuote => {
      const at = Date.parse(frame.at);
      const phase = visits.find((visit) => visit.started_at >= at)?.phase ?? frame.phase;
      return { kind: 'rerun', by: 'person', phase, at, text: `Phase ${phase} was run again.` };
    });

  const gates = visits.some(({ outcome }) => outcome === GATE)
    ? frames
        .readTagged(id, GATE, MAX_GATE_LINES)
        .map(({ data }) => JSON.parse(data) as LogFrame)
        .map(
          ({ at, phase, line }): EndedQuote => ({
            kind: 'gate',
            by: GATE,
            phase,
            at: Date.parse(at),
            text: line,
          }),
        )
    : [];

  const escalation: EndedQuote[] =
    job.escalation === null
      ? []
      : [
          {
            kind: 'escalation',
            by: visits.at(-1)?.outcome === 'escalated' ? 'agent' : 'runner',
            phase: job.phase,
            at: job.since,
            text: job.escalation,
          },
        ];

  const endedQuotes = [
    ...gates,
    ...reruns,
    ...escalation,
    ...messages,
    ...listRatingFlags(rows, id),
    ...listGuardrailQuotes(rows, id),
  ];
  return {
    visits: visits.map((visit) => toEndedVisit(rows, visit)),
    quotes: endedQuotes
      .toSorted((a, b) => a.at - b.at)
      .map(({ at, text, ...quote }) => ({
        jobId: id,
        workflow,
        ...quote,
        at: toIsoTime(at),
        text: shorten(text, MAX_QUOTE_CHARS),
      })),
  };
}

const toEndedVisit = (
  rows: EvidenceRows['rows'],
  { job_id: id, visit, phase, outcome }: VisitRow,
): EndedVisit => {
  const [sum] = rows.all('usage_sums', { scope: 'phase', key: `${id}/${visit}`, window: '' });
  const ratings = rows.all('decisions', { job_id: id, visit, site: 'overseer' });
  return {
    phase,
    outcome,
    rated: ratings.some(({ goal }) => goal !== null),
    usd: (sum?.micro_usd ?? 0) / 1e6,
    tokens: sum?.tokens ?? 0,
  };
};
