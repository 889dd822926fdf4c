import type { TurnEnd } from '../../machines/index.ts';
import { addBounded } from '../base/spending/addBounded.ts';
import type { AnswerBlocks } from '../base/agents/hiddenBlocks.ts';
import { toIsoTime } from '../base/time/toIsoTime.ts';
import { FINDINGS_CUT, RUN_REPAIRED, RUN_UNREADABLE } from '../base/agents/planNotes.ts';
import { sha256 } from '../base/system/ids/ids.ts';
import { Readiness, type IntakeContext } from '../contract/schema/planning/intake.ts';
import type { ProposedRun } from '../contract/schema/planning/proposedRun.ts';
import type { Usage } from '../contract/schema/session/usage.ts';
import { buildReplay, type ShownTexts } from './evidence/buildReplay.ts';
import {
  parseStoredJson,
  readPins,
  type InvestigationRow,
  type TurnRow,
} from './investigationRows.ts';
import type { LiveTurn } from './liveTurn.ts';
import { mentionsRepository } from './createPinScope.ts';
import type { RunnableParts } from './intakeParts.ts';
import { parseProposedRun, parseStoredRun } from './proposedRun.ts';
import type { RunBlock } from './readRunBlock.ts';
import { parseJsonOrNull } from '../base/json/parseJsonOrNull.ts';
import Value from 'typebox/value';

/** Most questions, and longest text of one, characters. */
const MAX_QUESTIONS = 20;
const MAX_TEXT_CHARS = 2_000;

const UNREADABLE = 'The model’s status could not be read.';
const ONLY_OUTSIDE =
  'The model calls this ready, but all that it has looked up in this turn was written by people outside of the team: check it yourself.';

interface ReadinessInput {
  /** Body of the last readiness block; null = none. */
  body: string | null;
  /** The readiness before the turn; null = none. */
  before: Readiness | null;
  /** The turn has made look-ups, and all results came from outside. */
  onlyOutside: boolean;
}

const clipReadiness = ({ state, openQuestions, note }: Readiness): Readiness => ({
  state,
  openQuestions: openQuestions
    .slice(0, MAX_QUESTIONS)
    .map((question) => question.slice(0, MAX_TEXT_CHARS)),
  note: note.slice(0, MAX_TEXT_CHARS),
});

/**
 * The readiness after a turn. An unreadable block only changes the note, so it never makes a
 * conversation ready; neither does a turn that has only read texts of outsiders.
 */
export function deriveReadiness({ body, before, onlyOutside }: ReadinessInput): Readiness | null {
  if (body === null) return before;
  const runBlock = parseJsonOrNull(body);
  if (!Value.Check(Readiness, runBlock))
    return { openQuestions: [], state: 'investigating', ...before, note: UNREADABLE };
  if (runBlock.state === 'ready' && onlyOutside)
    return { ...clipReadiness(runBlock), state: 'investigating', note: ONLY_OUTSIDE };
  return clipReadiness(runBlock);
}

type Change = Partial<InvestigationRow>;

interface TurnToSettle {
  turn: LiveTurn;
  end: TurnEnd;
  row: InvestigationRow;
  blocks: AnswerBlocks;
  /** The proposed run; null = none. */
  run: RunBlock | null;
  /** Everything that the developer has written in this conversation. */
  said: string;
  /** JSON of the turn's context: that of the request, with what the runner added. */
  context: string;
  runnable: RunnableParts;
  shown: ShownTexts;
  isPriced: boolean;
  now: number;
}

export interface SettledChanges {
  turn: Partial<TurnRow> & Pick<TurnRow, 'state' | 'answer' | 'replay'>;
  investigation: Change;
  /** Shown to people beside the answer. */
  notes: string[];
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

/** A person's edit is never dropped: the model's version is only proposed. */
function deriveFindingsChange(
  { findings, findingsCut }: AnswerBlocks,
  row: InvestigationRow,
): Change {
  const text = (findings ?? '').trim();
  if (text === '' || text === row.findings) return {};
  const cut = { findings_cut: findingsCut ? (1 as const) : (0 as const) };
  if (row.findings_by === 'person') return { findings_proposed: text, ...cut };
  return { findings: text, findings_sha: sha256(text), findings_by: 'model', ...cut };
}

const NO_RUN: ProposedRun = {
  workflowPath: null,
  params: {},
  removed: [],
  repaired: false,
  unreadable: false,
};

function deriveRunChange(settling: TurnToSettle): Change {
  const { run, row } = settling;
  if (run === null) return {};
  const { block, repaired } = run;
  if (block === null) {
    const before = row.run === null ? NO_RUN : parseStoredRun(row.run);
    return { run: JSON.stringify({ ...before, unreadable: true }) };
  }
  const context = parseStoredJson<IntakeContext>(settling.context);
  const { runnable } = settling;
  const givenWorkflows = context.availableWorkflows ?? [];
  // A turn stored by an earlier runner may have no list.
  const offeredWorkflows = givenWorkflows.length > 0 ? givenWorkflows : runnable.workflows;
  // A repository that the developer did not name and no look-up opened may come from a text that
  // was read.
  const openedSlugs = readPins(settling.row).map(({ slug }) => slug);
  const isNamed = (slug: string) => mentionsRepository(settling.said, slug);
  const repos = [...openedSlugs, ...(context.recentRepos ?? []), ...runnable.repositories];
  const proposedRun = parseProposedRun(block, {
    workflows: offeredWorkflows.map(({ workflowPath }) => workflowPath),
    broken: runnable.broken,
    isRepo: (slug) => repos.includes(slug) || isNamed(slug),
  });
  const storedRun: ProposedRun = { ...proposedRun, repaired, unreadable: false };
  return { run: JSON.stringify(storedRun) };
}

function listTurnNotes({ run, blocks }: TurnToSettle): string[] {
  const notes: string[] = [];
  if (blocks.findingsCut) notes.push(FINDINGS_CUT);
  if (run?.block === null) notes.push(RUN_UNREADABLE);
  else if (run?.repaired) notes.push(RUN_REPAIRED);
  return notes;
}

function deriveReadinessChange({ turn, row, blocks: { readiness: body } }: TurnToSettle): Change {
  const evidenceItems = turn.items.filter(({ ok }) => ok);
  const after = deriveReadiness({
    body,
    before: row.readiness === null ? null : parseStoredJson<Readiness>(row.readiness),
    onlyOutside:
      evidenceItems.length > 0 && evidenceItems.every(({ trust }) => trust === 'outside'),
  });
  if (after === null) return {};
  return { readiness: JSON.stringify(after), readiness_state: after.state };
}

/** Why a turn ended, in a word; null = normally. */
function explainTurnEnd(end: TurnEnd, fault: LiveTurn['fault']): string | null {
  if (STATES[end] === 'failed') return fault?.reason ?? end;
  return end === 'end' || end === 'overdue' ? null : end;
}

const addTurnUsage = (usage: Usage | null, row: InvestigationRow): Change => ({
  input_tokens: addBounded(row.input_tokens, usage?.inputTokens ?? 0),
  output_tokens: addBounded(row.output_tokens, usage?.outputTokens ?? 0),
  cached_input_tokens: addBounded(row.cached_input_tokens, usage?.cachedInputTokens ?? 0),
  cache_write_tokens: addBounded(row.cache_write_tokens, usage?.cacheWriteTokens ?? 0),
});

/** Why a turn failed, for people, and until when asking again is useless. */
function describeTurnError({ fault, result }: LiveTurn): string {
  const error = fault?.message ?? result?.error ?? 'The turn failed.';
  const until = result?.resetsAt ?? null;
  if (until === null) return error;
  return `${error.replace(/[.\s]+$/, '')}. It takes requests again at ${toIsoTime(until)}.`;
}

/** Changes of the stored conversation at the end of a turn. */
export function buildSettledRows(settling: TurnToSettle): SettledChanges {
  const { turn, end, row, now, isPriced } = settling;
  const { result, fault } = turn;
  const isLost = turn.isCutOff && STATES[end] === 'interrupted';
  const state = isLost ? 'lost' : STATES[end];
  const usage = result?.usage ?? turn.usage;
  return {
    turn: {
      state,
      ended_at: now,
      answer: turn.answer,
      thinking: turn.thinking,
      error: state === 'failed' ? describeTurnError(turn) : null,
      reason: isLost ? 'restart' : explainTurnEnd(end, fault),
      rounds: result?.rounds ?? 0,
      usage: usage === null ? null : JSON.stringify(usage),
      // In the order in which they began.
      replay: buildReplay(
        turn.items.toSorted((a, b) => a.n - b.n),
        turn.key,
        settling.shown,
      ),
    },
    investigation: {
      ...addTurnUsage(usage, row),
      context_tokens: result?.contextTokens ?? row.context_tokens,
      unpriced_turns: row.unpriced_turns + (isPriced ? 0 : 1),
      resume: result === null ? row.resume : result.resume,
      updated_at: now,
      ...deriveReadinessChange(settling),
      ...deriveFindingsChange(settling.blocks, row),
      ...deriveRunChange(settling),
    },
    notes: listTurnNotes(settling),
  };
}
