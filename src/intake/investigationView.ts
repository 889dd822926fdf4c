import { iso } from '../domain/isoTime.ts';
import type { ListedInvestigation } from '../durable/sqlite/investigationReader.ts';
import type { RowReader } from '../durable/sqlite/rowReader.ts';
import type { Citation, Evidence, Pinned } from '../schema/evidence.ts';
import type {
  ChatTurn,
  FindingsCard,
  IntakeCounters,
  Investigation,
  InvestigationSummary,
  Readiness,
} from '../schema/intake.ts';
import type { Usage } from '../schema/usage.ts';
import { spentOf } from './chatUsage.ts';
import {
  type EvidenceRow,
  type InvestigationRow,
  jsonOf,
  type TurnRow,
} from './investigationRows.ts';
import { storedRun } from './proposedRun.ts';

/** What only the memory knows of a chat. */
export interface LivePart {
  /** The turn that runs, as far as its frames have come; null = none runs. */
  turn: Pick<TurnRow, 'n' | 'answer' | 'thinking'> | null;
  /** Id of the newest frame; null = none is kept. */
  lastFrame: string | null;
}

export const NOTHING_LIVE: LivePart = { turn: null, lastFrame: null };

const usageOf = (row: ListedInvestigation): Usage => ({
  inputTokens: row.input_tokens,
  outputTokens: row.output_tokens,
  cachedInputTokens: row.cached_input_tokens,
  cacheWriteTokens: row.cache_write_tokens,
});

/** `spent` in millionths of a dollar; a turn whose price is not known hides the sum. */
export const costOf = (
  { unpriced_turns: unpriced }: Pick<InvestigationRow, 'unpriced_turns'>,
  spent: number,
) => (unpriced === 0 ? { usd: spent / 1_000_000, priced: true } : { usd: null, priced: false });

const countersOf = (row: ListedInvestigation, spent: number): IntakeCounters => ({
  turns: row.turns,
  lookups: row.lookups,
  usage: usageOf(row),
  contextTokens: row.context_tokens,
  cost: costOf(row, spent),
});

export const summaryOf = (
  row: ListedInvestigation,
  { isRunning, spent }: { isRunning: boolean; spent: number },
): InvestigationSummary => ({
  sessionId: row.id,
  title: row.title,
  createdAt: iso(row.created_at),
  updatedAt: iso(row.updated_at),
  repo: row.repo,
  readiness: row.readiness_state,
  hasFindings: row.findings_sha !== null,
  running: isRunning,
  counters: countersOf(row, spent),
  jobIds: jsonOf<string[]>(row.job_ids),
});

const turnOf = (row: TurnRow, foldedTo: number): ChatTurn => ({
  n: row.n,
  at: iso(row.at),
  endedAt: row.ended_at === null ? null : iso(row.ended_at),
  state: row.state,
  message: row.message,
  answer: row.answer,
  thinking: row.thinking,
  error: row.error,
  reason: row.reason,
  rounds: row.rounds,
  usage: row.usage === null ? null : jsonOf<Usage>(row.usage),
  provider: row.provider,
  model: row.model,
  folded: row.n <= foldedTo,
});

const evidenceOf = (row: EvidenceRow): Evidence => ({
  id: `E${row.n}`,
  turn: row.turn,
  tool: row.tool,
  target: row.target,
  ok: row.ok === 1,
  ms: row.ms,
  repo: row.repo,
  commit: row.commit_sha,
  path: row.path,
  fromLine: row.from_line,
  toLine: row.to_line,
  sha256: row.sha256,
  trust: row.trust,
  cited: row.cited === 1,
  chars: row.chars,
  round: row.round,
  answerAt: row.answer_at,
  thinkingAt: row.thinking_at,
});

const findingsOf = (row: InvestigationRow): FindingsCard | null =>
  row.findings === null
    ? null
    : {
        text: row.findings,
        sha256: row.findings_sha ?? '',
        by: row.findings_by ?? 'model',
        proposed: row.findings_proposed,
        cut: row.findings_cut === 1,
      };

/** One of an older runner names no repository. */
function storedCitation(json: string): Citation {
  const citation = jsonOf<Citation & { repo?: string | null }>(json);
  return { ...citation, repo: citation.repo ?? null };
}

/** In the order in which the findings cite them. */
function citationsOf({ id, findings }: InvestigationRow, rows: RowReader): Citation[] {
  const placeOf = ({ ref }: Citation) => (findings ?? '').indexOf(ref);
  return rows
    .all('investigation_citations', { investigation: id })
    .map(({ citation }) => storedCitation(citation))
    .sort((one, other) => placeOf(one) - placeOf(other));
}

/** A chat as it is stored, with what runs of it now. */
export function investigationOf(
  row: InvestigationRow,
  rows: RowReader,
  { live, isRunning, pinned }: { live: LivePart; isRunning: boolean; pinned: Pinned | null },
): Investigation {
  const where = { investigation: row.id };
  const evidence = rows.all('investigation_evidence', where).map(evidenceOf);
  const outside = evidence.filter(({ trust, ok }) => trust === 'outside' && ok);
  return {
    ...summaryOf(row, { isRunning, spent: spentOf(rows, row.id) }),
    findings: findingsOf(row),
    status: row.readiness === null ? null : jsonOf<Readiness>(row.readiness),
    run: row.run === null ? null : storedRun(row.run),
    model: { provider: row.provider, model: row.model },
    pinned,
    turns: rows
      .all('investigation_turns', where)
      .map((turn) =>
        turnOf(turn.n === live.turn?.n ? { ...turn, ...live.turn } : turn, row.folded_to),
      ),
    evidence,
    citations: citationsOf(row, rows),
    outside: [...new Set(outside.map(({ target }) => target))],
    items: jsonOf<unknown[]>(row.items),
    resume: row.resume,
    lastFrame: live.lastFrame,
  };
}
