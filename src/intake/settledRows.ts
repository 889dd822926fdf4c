import type { TurnEnd } from '../../machines/index.ts';
import { blocksOf } from '../domain/hiddenBlocks.ts';
import { MAX_FINDINGS_CHARS } from '../domain/intakeLimits.ts';
import { sha256 } from '../lib/ids.ts';
import type { IntakeContext, Readiness } from '../schema/intake.ts';
import type { Usage } from '../schema/usage.ts';
import { replayOf, type Shown } from './evidence/replay.ts';
import { type InvestigationRow, jsonOf, pinsOf, type TurnRow } from './investigationRows.ts';
import type { LiveTurn } from './liveTurn.ts';
import { proposedRun } from './proposedRun.ts';
import { readinessAfter } from './readinessRule.ts';

interface Settling {
  turn: LiveTurn;
  end: TurnEnd;
  row: InvestigationRow;
  /** All that the developer has written in this conversation. */
  said: string;
  /** JSON of the request's context. */
  context: string;
  shown: Shown;
  /** Whether the endpoint costs nothing. */
  isFree: boolean;
  now: number;
}

export interface Settled {
  turn: Partial<TurnRow> & Pick<TurnRow, 'state' | 'answer' | 'replay'>;
  investigation: Partial<InvestigationRow>;
}

const STATES: Readonly<Record<TurnEnd, TurnRow['state']>> = {
  end: 'done',
  rounds: 'done',
  cut: 'done',
  refusal: 'done',
  interrupted: 'interrupted',
  overdue: 'interrupted',
  quota: 'failed',
  error: 'failed',
};

/** The last try of a block that may be fenced; null = it is no object. */
function jsonIn(block: string): Record<string, unknown> | null {
  const text = block.trim().replace(/^```\w*\n([\s\S]*?)\n?```$/, '$1');
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? { ...value }
      : null;
  } catch {
    return null;
  }
}

/** An edit of a person is never dropped: what the model would write over it is proposed. */
function findingsOf(body: string | null, row: InvestigationRow): Partial<InvestigationRow> {
  const text = (body ?? '').trim().slice(0, MAX_FINDINGS_CHARS);
  if (text === '' || text === row.findings) return {};
  if (row.findings_by === 'person') return { findings_proposed: text };
  return { findings: text, findings_sha: sha256(text), findings_by: 'model' };
}

function runOf(body: string | null, settling: Settling): Partial<InvestigationRow> {
  const context = jsonOf<IntakeContext>(settling.context);
  const block = body === null ? null : jsonIn(body);
  if (block === null) return {};
  const workflows = (context.availableWorkflows ?? []).map(({ workflowPath }) => workflowPath);
  // A repository that is neither of the developer's nor was opened may be an idea of a text that was read.
  const opened = pinsOf(settling.row).map(({ slug }) => slug);
  const isNamed = (slug: string) => settling.said.toLowerCase().includes(slug.toLowerCase());
  const repos = [...opened, ...(context.recentRepos ?? [])];
  const run = proposedRun(block, workflows, (slug) => repos.includes(slug) || isNamed(slug));
  return { run: JSON.stringify(run) };
}

function readinessOf(body: string | null, { turn, row }: Settling): Partial<InvestigationRow> {
  const found = turn.items.filter(({ ok }) => ok);
  const after = readinessAfter({
    body,
    before: row.readiness === null ? null : jsonOf<Readiness>(row.readiness),
    onlyOutside: found.length > 0 && found.every(({ trust }) => trust === 'outside'),
  });
  if (after === null) return {};
  return { readiness: JSON.stringify(after), readiness_state: after.state };
}

const usageChange = (usage: Usage | null, row: InvestigationRow): Partial<InvestigationRow> => ({
  input_tokens: row.input_tokens + (usage?.inputTokens ?? 0),
  output_tokens: row.output_tokens + (usage?.outputTokens ?? 0),
  cached_input_tokens: row.cached_input_tokens + (usage?.cachedInputTokens ?? 0),
  cache_write_tokens: row.cache_write_tokens + (usage?.cacheWriteTokens ?? 0),
});

/** What a turn that is over changes of the stored conversation. */
export function settledRows(settling: Settling): Settled {
  const { turn, end, row, now, isFree } = settling;
  const { result, fault } = turn;
  const state = STATES[end];
  const usage = result?.usage ?? turn.usage;
  // What a turn that broke off has closed counts: it was said.
  const { readiness, findings, run } = blocksOf(turn.answer);
  const reason =
    state === 'failed' ? (fault?.reason ?? end) : end === 'end' || end === 'overdue' ? null : end;
  return {
    turn: {
      state,
      ended_at: now,
      answer: turn.answer,
      thinking: turn.thinking,
      error: state === 'failed' ? (fault?.message ?? result?.error ?? 'The turn failed.') : null,
      reason,
      rounds: result?.rounds ?? 0,
      usage: usage === null ? null : JSON.stringify(usage),
      // In the order in which they began, whichever was over first.
      replay: replayOf(
        turn.items.toSorted((a, b) => a.n - b.n),
        turn.key,
        settling.shown,
      ),
    },
    investigation: {
      ...usageChange(usage, row),
      context_tokens: result?.contextTokens ?? row.context_tokens,
      unpriced_turns: row.unpriced_turns + (isFree ? 0 : 1),
      resume: result === null ? row.resume : result.resume,
      updated_at: now,
      ...readinessOf(readiness, settling),
      ...findingsOf(findings, row),
      ...runOf(run, settling),
    },
  };
}
