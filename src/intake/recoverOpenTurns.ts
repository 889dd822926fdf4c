import type { Clock } from '../base/time/clock.ts';
import { toErrorMessage, SvcError } from '../base/errors/errors.ts';
import type { KeyedQueue } from '../base/concurrency/keyedQueue.ts';
import type { IntakeContext } from '../contract/schema/planning/intake.ts';
import type { ChatExecutor, Choice } from './chatExecutor.ts';
import type { ChatStore } from './chatStore.ts';
import { parseStoredJson, type TurnRow } from './investigationRows.ts';
import type { AskedTurn } from './liveTurn.ts';
import { formatContextNote } from './prompt/contextNote.ts';

interface RecoveryDeps {
  /** Unfinished turns, by conversation and number. */
  open: readonly Pick<TurnRow, 'investigation' | 'n' | 'state'>[];
  store: ChatStore;
  clock: Clock;
  inTurn: KeyedQueue;
  /** Throws SvcError `no-llm`. */
  choose(choice: Choice): Promise<ChatExecutor>;
  ask(sessionId: string, turn: AskedTurn): void;
  onError(where: string, error: unknown): void;
}

/** Asks the waiting messages of a conversation, in order. */
async function askWaiting(id: string, turns: readonly number[], deps: RecoveryDeps): Promise<void> {
  const { store, clock, choose, ask } = deps;
  const row = store.find(id);
  if (!row) return;
  const { provider, model } = row;
  const waiting = turns.map((n) => store.turn(id, n));
  try {
    const executor = await choose({ provider, model });
    for (const { n, message, context } of waiting)
      ask(id, {
        n,
        message,
        executor,
        note: formatContextNote(parseStoredJson<IntakeContext>(context)),
      });
  } catch (error) {
    const reason = error instanceof SvcError ? error.code : 'error';
    const set = {
      state: 'failed' as const,
      ended_at: clock.now(),
      error: toErrorMessage(error),
      reason,
    };
    await store.write(waiting.map(({ n }) => store.patchTurn(id, n, set)));
  }
}

/**
 * Recovers what an earlier runner left open. The turn that it was answering is lost: its partial
 * answer is kept, and a person asks again. Messages that waited for it are asked now, in order.
 * Resolves when that is stored; the answers come later.
 */
export async function recoverOpenTurns(deps: RecoveryDeps): Promise<void> {
  const { open, store, clock, inTurn, onError } = deps;
  const now = clock.now();
  const lostTurns = open.filter(({ state }) => state === 'running');
  if (lostTurns.length > 0)
    await store.write(
      lostTurns.map(({ investigation, n }) =>
        store.patchTurn(investigation, n, { state: 'lost', ended_at: now, reason: 'restart' }),
      ),
    );
  const waiting = open.filter(({ state }) => state === 'queued');
  for (const id of new Set(waiting.map(({ investigation }) => investigation))) {
    const turns = waiting.filter(({ investigation }) => investigation === id).map(({ n }) => n);
    void inTurn
      .run(id, () => askWaiting(id, turns, deps))
      .catch((error: unknown) => onError('turn', error));
  }
}
