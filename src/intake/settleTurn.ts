import type { TurnEnd } from '../../machines/index.ts';
import { findEndNote } from '../base/agents/planNotes.ts';
import { splitBlocks } from '../base/agents/hiddenBlocks.ts';
import type { IntakeFrame } from '../contract/schema/planning/intakeFrames.ts';
import { concludeTurn } from './concludeTurn.ts';
import { collectShownTexts } from './chatStore.ts';
import type { SettledTurn } from './history/settledTurn.ts';
import { toSettledTurn } from './history/readStoredHistory.ts';
import type { TurnRow } from './investigationRows.ts';
import type { LiveTurn } from './liveTurn.ts';
import { readRunBlock } from './readRunBlock.ts';
import { readRunnable } from './runContext.ts';
import { buildSettledRows } from './buildSettledRows.ts';
import type { UsageRecorder } from '../policy/usage/usageRecorder.ts';
import type { TurnReports, TurnWorkDeps } from './turnDeps.ts';

interface SettleTurnOptions {
  id: string;
  live: LiveTurn;
  end: TurnEnd;
  /** Usage of the turn; null = it was not opened. */
  usage: Pick<UsageRecorder, 'endRows' | 'isPriced'> | null;
  deps: Pick<TurnWorkDeps, 'store' | 'clock' | 'parts' | 'onError'>;
  tell: TurnReports['tell'];
}

/** Stores the outcome of a turn; returns its last frame and its part of the history. */
export async function settleTurn({
  id,
  live,
  end,
  usage,
  deps,
  tell,
}: SettleTurnOptions): Promise<{ frame: IntakeFrame; settled: SettledTurn }> {
  const { store, clock, parts, onError } = deps;
  const ending = findEndNote(end);
  if (ending !== null) tell({ type: 'note', text: ending });
  // Closed blocks of an interrupted turn count.
  const blocks = splitBlocks(live.answer);
  const run = await readRunBlock(blocks, end);
  const rowChanges = usage?.endRows({
    usage: live.result?.usage ?? null,
    hasAnswered: live.answer + live.thinking !== '' || live.items.length > 0,
  });
  const before = store.row(id);
  const turnRow: TurnRow = store.turn(id, live.n);
  const { turn, investigation, notes } = buildSettledRows({
    turn: live,
    end,
    row: before,
    blocks,
    run,
    said: store
      .turns(id)
      .map(({ message }) => message)
      .join('\n'),
    context: turnRow.context,
    runnable: await readRunnable(parts, onError),
    shown: collectShownTexts(store.evidence(id), live.n),
    isPriced: usage?.isPriced ?? true,
    now: clock.now(),
  });
  await store.write([
    store.patchTurn(id, live.n, turn),
    store.patch(id, investigation),
    ...(rowChanges ?? []),
  ]);
  for (const text of notes) tell({ type: 'note', text });
  const frame = await concludeTurn({ id, live, turn, before, store, parts, clock, onError });
  return { frame, settled: toSettledTurn({ ...turnRow, ...turn }) };
}
