import type { RatingFacts } from '../../../../machines/index.ts';
import type { LogFrame } from '../../../contract/schema/job/frames.ts';
import type { ChangedFiles } from '../../../contract/schema/policy/decision.ts';
import type { Tables } from '../../../contract/records/tables.ts';
import type { TypedRows } from '../../../kernel/typedRows.ts';
import type { DigestInput, SeenToolCall } from './digestInput.ts';

/** Most lines that are read of a visit's log, newest first. */
export const MAX_LINES_READ = 5_000;
/** Lines read from the store at a time. */
const SLICE_LINES = 1_000;
/** The agent's last lines count as its claims. */
const MAX_CLAIMS = 12;

/** Lines of a log, as JSON of {@link LogFrame}. */
export interface LogLines {
  /** Lines before frame `frame`, newest first. */
  logBefore(actor: string, frame: number, limit: number): { n: number; data: string }[];
}

export interface GatherDeps {
  rows: Pick<TypedRows<Tables>, 'all' | 'one'>;
  frames: LogLines;
}

/** Facts about a visit that no row holds. */
export interface SeenVisit {
  facts: RatingFacts;
  changed: ChangedFiles | null;
  /** The last frame that counts. */
  upTo: number;
}

function readVisitLines(
  { frames }: GatherDeps,
  jobId: string,
  visit: number,
  upTo: number,
): LogFrame[] {
  const lines: LogFrame[] = [];
  let before = upTo + 1;
  while (lines.length < MAX_LINES_READ) {
    const slice = frames.logBefore(jobId, before, SLICE_LINES);
    for (const { n, data } of slice) {
      const line = JSON.parse(data) as LogFrame;
      if (line.visit < visit) return lines.reverse();
      if (line.visit === visit) lines.push(line);
      before = n;
    }
    if (slice.length < SLICE_LINES) break;
  }
  return lines.reverse();
}

/** `<name> done: <target>`, `<name> failed: <target>`; the start of a call has neither word. */
const CALL = /^(\S+) (done|failed)(?:: ([\s\S]*))?$/;

const toSeenCalls = ({ from, tag, line }: LogFrame): SeenToolCall[] => {
  if (from !== 'agent' || tag !== 'tool') return [];
  const [, name = '', outcome, target = ''] = CALL.exec(line) ?? [];
  return outcome === undefined ? [] : [{ name, target, ok: outcome === 'done' }];
};

const isClaim = ({ from, tag, line }: LogFrame): boolean =>
  from === 'agent' && tag === null && line.trim() !== '';

/**
 * Gathers a visit's digest input. Later rows are left out, so that the same visit always gives the
 * same digest.
 */
export function gatherDigestInput(
  deps: GatherDeps,
  jobId: string,
  visit: number,
  { facts, changed, upTo }: SeenVisit,
): DigestInput {
  const { rows } = deps;
  const { at, ...known } = facts;
  const [visitRow] = rows.all('phase_visits', { job_id: jobId, visit });
  const since = rows.all('phase_visits', { job_id: jobId, visit: visit - 1 })[0]?.started_at ?? 0;
  const lines = readVisitLines(deps, jobId, visit, upTo);
  const tokens = rows
    .all('usage_calls', { subject: jobId, visit })
    // Calls of the decision layer belong to no session.
    .filter((call) => call.at <= at && call.session > 0)
    .reduce((sum, call) => sum + call.input_tokens + call.output_tokens, 0);
  return {
    ...known,
    changed,
    tookMs: at - (visitRow?.started_at ?? at),
    tokens: tokens === 0 ? null : tokens,
    artefacts: rows
      .all('artefacts', { job_id: jobId, visit }, { order: 'at' })
      .filter((artefact) => artefact.at <= at)
      .map(({ kind, title }) => ({ kind, title })),
    itemUpdates: lines.filter(({ from, tag }) => from === 'runner' && tag === 'work-items').length,
    calls: lines.flatMap(toSeenCalls),
    people: rows
      .all('inbox_items', { job_id: jobId }, { order: 'n' })
      .filter((item) => item.at >= since && item.at <= at)
      .map(({ author, text }) => ({ author, text })),
    claims: lines
      .filter(isClaim)
      .slice(-MAX_CLAIMS)
      .map(({ line }) => line),
    history: rows
      .all(
        'decisions',
        { job_id: jobId, site: 'overseer', phase: visitRow?.phase ?? '' },
        { order: 'visit' },
      )
      .filter((earlier) => earlier.visit < visit && earlier.flag !== null)
      .map((earlier) => ({ visit: earlier.visit, flag: earlier.flag ?? '' })),
  };
}
