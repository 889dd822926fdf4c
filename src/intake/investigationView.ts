import { toIsoTime, toIsoTimeOrNull } from '../base/time/toIsoTime.ts';
import type { ListedInvestigation } from '../jobs/store/queries/investigationReader.ts';
import type { RowReader } from '../contract/records/rowReader.ts';
import type { Citation, Evidence, Pinned } from '../contract/schema/planning/evidence.ts';
import type {
  ChatTurn,
  FindingsCard,
  IntakeCounters,
  Investigation,
  InvestigationSummary,
  Readiness,
} from '../contract/schema/planning/intake.ts';
import type { Usage } from '../contract/schema/session/usage.ts';
import { readChatSpending } from './chatUsage.ts';
import {
  type EvidenceRow,
  type InvestigationRow,
  parseStoredJson,
  type TurnRow,
} from './investigationRows.ts';
import { parseStoredRun } from './proposedRun.ts';

/** The part of a chat that only exists in memory. */
export interface LivePart {
  /** The running turn, as far as its frames came; null = none. */
  turn: Pick<TurnRow, 'n' | 'answer' | 'thinking'> | null;
  /** null = no frame is kept. */
  lastFrame: string | null;
}

export const NOTHING_LIVE: LivePart = { turn: null, lastFrame: null };

const toInvestigationUsage = (row: ListedInvestigation): Usage => ({
  inputTokens: row.input_tokens,
  outputTokens: row.output_tokens,
  cachedInputTokens: row.cached_input_tokens,
  cacheWriteTokens: row.cache_write_tokens,
});

/** `spentMicroUsd` in millionths of a dollar; a turn with unknown price hides the sum. */
export const toInvestigationCost = (
  { unpriced_turns: unpricedTurns }: Pick<InvestigationRow, 'unpriced_turns'>,
  spentMicroUsd: number,
) =>
  unpricedTurns === 0
    ? { usd: spentMicroUsd / 1_000_000, priced: true }
    : { usd: null, priced: false };

const toIntakeCounters = (row: ListedInvestigation, spentMicroUsd: number): IntakeCounters => ({
  turns: row.turns,
  lookups: row.lookups,
  usage: toInvestigationUsage(row),
  contextTokens: row.context_tokens,
  cost: toInvestigationCost(row, spentMicroUsd),
});

export const toInvestigationSummary = (
  row: ListedInvestigation,
  { isRunning, spent }: { isRunning: boolean; spent: number },
): InvestigationSummary => ({
  sessionId: row.id,
  title: row.title,
  createdAt: toIsoTime(row.created_at),
  updatedAt: toIsoTime(row.updated_at),
  repo: row.repo,
  readiness: row.readiness_state,
  hasFindings: row.findings_sha !== null,
  running: isRunning,
  counters: toIntakeCounters(row, spent),
  jobIds: parseStoredJson<string[]>(row.job_ids),
});

const toChatTurn = (row: TurnRow, foldedTo: number): ChatTurn => ({
  n: row.n,
  at: toIsoTime(row.at),
  endedAt: toIsoTimeOrNull(row.ended_at),
  state: row.state,
  message: row.message,
  answer: row.answer,
  thinking: row.thinking,
  error: row.error,
  reason: row.reason,
  rounds: row.rounds,
  usage: row.usage === null ? null : parseStoredJson<Usage>(row.usage),
  provider: row.provider,
  model: row.model,
  folded: row.n <= foldedTo,
});

const toEvidenceView = (row: EvidenceRow): Evidence => ({
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

const toFindingsCard = (row: InvestigationRow): FindingsCard | null =>
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
function parseStoredCitation(json: string): Citation {
  const citation = parseStoredJson<Citation & { repo?: string | null }>(json);
  return { ...citation, repo: citation.repo ?? null };
}

/** In the order in which the findings cite them. */
function listCitations({ id, findings }: InvestigationRow, rows: RowReader): Citation[] {
  const findPlace = ({ ref }: Citation) => (findings ?? '').indexOf(ref);
  return rows
    .all('investigation_citations', { investigation: id })
    .map(({ citation }) => parseStoredCitation(citation))
    .sort((one, other) => findPlace(one) - findPlace(other));
}

/** A stored chat with its running turn. */
export function toInvestigation(
  row: InvestigationRow,
  rows: RowReader,
  { live, isRunning, pinned }: { live: LivePart; isRunning: boolean; pinned: Pinned | null },
): Investigation {
  const where = { investigation: row.id };
  const evidence = rows.all('investigation_evidence', where).map(toEvidenceView);
  const outside = evidence.filter(({ trust, ok }) => trust === 'outside' && ok);
  return {
    ...toInvestigationSummary(row, { isRunning, spent: readChatSpending(rows, row.id) }),
    findings: toFindingsCard(row),
    status: row.readiness === null ? null : parseStoredJson<Readiness>(row.readiness),
    run: row.run === null ? null : parseStoredRun(row.run),
    model: { provider: row.provider, model: row.model },
    pinned,
    turns: rows
      .all('investigation_turns', where)
      .map((turn) =>
        toChatTurn(turn.n === live.turn?.n ? { ...turn, ...live.turn } : turn, row.folded_to),
      ),
    evidence,
    citations: listCitations(row, rows),
    outside: [...new Set(outside.map(({ target }) => target))],
    items: parseStoredJson<unknown[]>(row.items),
    resume: row.resume,
    lastFrame: live.lastFrame,
  };
}
