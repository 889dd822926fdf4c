import type { Clock } from '../base/time/clock.ts';
import type { DoneFrame, IntakeFrame } from '../contract/schema/planning/intakeFrames.ts';
import type { Pinned } from '../contract/schema/planning/evidence.ts';
import { readChatSpending } from './chatUsage.ts';
import { CitationBook } from './citationBook.ts';
import type { ChatStore } from './chatStore.ts';
import { type InvestigationRow, readPins, type TurnRow } from './investigationRows.ts';
import { toInvestigationCost } from './investigationView.ts';
import type { LiveTurn } from './liveTurn.ts';
import type { IntakeParts } from './intakeParts.ts';
import type Type from 'typebox';

interface ConcludeTurnOptions {
  id: string;
  live: LiveTurn;
  turn: Partial<TurnRow> & Pick<TurnRow, 'state'>;
  before: InvestigationRow;
  store: ChatStore;
  parts: IntakeParts;
  clock: Clock;
  onError(where: string, error: unknown): void;
}

/** How far the branch has moved; null if that cannot be found out now. */
async function measurePinDrift(
  row: InvestigationRow,
  { parts, store, onError }: ConcludeTurnOptions,
) {
  const [pin] = readPins(row);
  if (!pin) return null;
  try {
    return await parts.drift(pin, new CitationBook(store, parts).paths(row.id));
  } catch (error) {
    onError('citations', error);
    return { repo: pin.slug, ref: pin.ref, commit: pin.commit, behind: null, changed: [] };
  }
}

interface DoneTurn {
  live: LiveTurn;
  row: InvestigationRow;
  turn: TurnRow;
  pinned: Pinned | null;
  /** Cost of the chat, millionths of a dollar. */
  spent: number;
}

function buildDoneFrame({ live, row, turn, pinned, spent }: DoneTurn) {
  const usage = live.result?.usage ?? live.usage;
  const contextTokens = live.result?.contextTokens ?? null;
  const doneFrame: Type.Static<typeof DoneFrame> = {
    type: 'done',
    state: turn.state === 'done' ? 'done' : 'interrupted',
    rounds: turn.rounds,
    sessionTokens: row.input_tokens + row.output_tokens,
    turns: row.turns,
    cost: toInvestigationCost(row, spent),
    fallback: live.isFallback,
    pinned,
  };
  if (usage !== null) doneFrame.usage = usage;
  if (contextTokens !== null) doneFrame.contextTokens = contextTokens;
  return doneFrame;
}

/**
 * Checks what new findings cite, and returns the last frame of a turn. The turn is already stored,
 * so errors here do not fail it.
 */
export async function concludeTurn(options: ConcludeTurnOptions): Promise<IntakeFrame> {
  const { id, live, turn, before, store, parts, clock, onError } = options;
  const row = store.row(id);
  if (row.findings_sha !== before.findings_sha)
    await new CitationBook(store, parts)
      .check(row, clock.now())
      .catch((error) => onError('citations', error));
  if (turn.state === 'failed')
    return {
      type: 'error',
      message: turn.error ?? 'The turn failed.',
      reason: turn.reason ?? 'error',
    };
  return buildDoneFrame({
    live,
    row,
    turn: store.turn(id, live.n),
    pinned: await measurePinDrift(row, options),
    spent: readChatSpending(store.rows, id),
  });
}
