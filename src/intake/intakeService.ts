import type { Intake } from '../contract/planning/intake.ts';
import { MAX_CHAT_MESSAGE_CHARS } from '../base/limits/intakeLimits.ts';
import type { InvestigationReader } from '../jobs/store/queries/investigationReader.ts';
import type { RowReader } from '../contract/records/rowReader.ts';
import { SvcError } from '../base/errors/errors.ts';
import { KeyedQueue } from '../base/concurrency/keyedQueue.ts';
import type { RowChange, KernelUse } from '../contract/records/changes.ts';
import type { IntakeBody } from '../contract/schema/planning/intake.ts';
import { recoverOpenTurns } from './recoverOpenTurns.ts';
import type { ChatExecutor, Choice } from './chatExecutor.ts';
import { ChatStore } from './chatStore.ts';
import { CitationBook } from './citationBook.ts';
import { readChatSpending } from './chatUsage.ts';
import { HotChats } from './hotChats.ts';
import { readStoredHistory } from './history/readStoredHistory.ts';
import {
  type InvestigationRow,
  createInvestigationRow,
  createTurnRow,
  readPins,
} from './investigationRows.ts';
import { toInvestigation, NOTHING_LIVE, toInvestigationSummary } from './investigationView.ts';
import { LiveChat, type LiveChatDeps } from './liveChat.ts';
import { formatContextNote } from './prompt/contextNote.ts';
import { fillContext } from './runContext.ts';
import { listMissingTurns, parseIntakeMessage, buildSeedRows } from './seed.ts';
import { buildSnapshotChanges } from './buildSnapshotChanges.ts';

/** Default number of chats in a page of the list. */
const DEFAULT_LIMIT = 5;
export const MAX_QUEUED_TURNS = 10;

export interface IntakeDeps
  extends Omit<LiveChatDeps, 'store' | 'history' | 'onTurnOver' | 'toolsEnabled'> {
  kernel: Pick<KernelUse, 'submit'>;
  rows: RowReader;
  list: InvestigationReader;
  settings: { intake: { toolsEnabled: boolean } };
  /** `reason`: why no turn begins now; null = they do. */
  disk: { readonly reason: string | null };
  /** Throws SvcError `no-llm`. */
  choose(choice: Choice): Promise<ChatExecutor>;
}

export interface RunningIntake extends Intake {
  /** Marks the turn that an earlier runner lost, and asks the waiting messages. */
  start(): Promise<void>;
  /** Stops running turns; the answers so far are stored. */
  closeChats(): Promise<void>;
}

/**
 * The session's override; a provider without a model does not inherit the model of another
 * provider.
 */
function resolveChoice({ provider, model }: IntakeBody, row: InvestigationRow | undefined): Choice {
  const knownChoice: Choice = { provider: row?.provider ?? null, model: row?.model ?? null };
  const isOther = provider !== undefined && provider !== knownChoice.provider;
  return {
    provider: provider ?? knownChoice.provider,
    model: model ?? (isOther ? null : knownChoice.model),
  };
}

const createTurnRunsError = (): SvcError =>
  new SvcError(
    'conflict',
    'A turn of this conversation is still running. Wait until it ends, stop it, or send queue: true.',
    { data: { reason: 'turn-running' } },
  );

export function createIntake({
  kernel,
  rows,
  list,
  settings,
  choose,
  disk,
  ...deps
}: IntakeDeps): RunningIntake {
  const { clock, screen, parts } = deps;
  const store = new ChatStore(kernel, rows);
  const book = new CitationBook(store, parts);
  const inTurn = new KeyedQueue();
  let isStopping = false;
  const chats: HotChats<LiveChat> = new HotChats({
    clock,
    make: (id) =>
      new LiveChat(id, {
        ...deps,
        store,
        toolsEnabled: () => settings.intake.toolsEnabled,
        history: () => readStoredHistory(store.row(id), rows),
        onTurnOver: () => chats.shrink(),
      }),
  });

  const isRunning = (id: string): boolean => (chats.find(id)?.openTurns.length ?? 0) > 0;

  async function view(id: string) {
    const row = store.row(id);
    const [pin] = readPins(row);
    const pinView = pin
      ? await parts
          .drift(pin, book.paths(id))
          .catch(() => ({ ...pin, repo: pin.slug, behind: null, changed: [] }))
      : null;
    // Read only now, since the turn may have been settled meanwhile.
    const now = store.row(id);
    const live = chats.find(id)?.readLivePart() ?? NOTHING_LIVE;
    return toInvestigation(now, rows, {
      live,
      isRunning: isRunning(id),
      pinned: pinView && {
        repo: pinView.repo,
        ref: pinView.ref,
        commit: pinView.commit,
        behind: pinView.behind,
        changed: pinView.changed,
      },
    });
  }

  async function ask(body: IntakeBody): Promise<{ turn: number }> {
    const id = body.sessionId;
    const { message: asSaid, seed } = parseIntakeMessage(body);
    if (asSaid.length > MAX_CHAT_MESSAGE_CHARS)
      throw new SvcError(
        'too-large',
        `The message has ${asSaid.length} characters; at most ${MAX_CHAT_MESSAGE_CHARS} are taken.`,
      );
    const choice = resolveChoice(body, store.find(id));
    const executor = await choose(choice);
    const context = await fillContext(body.context ?? {}, parts, deps.onError);
    if (isStopping) throw new SvcError('stopping', 'The runner is stopping.');
    if (disk.reason !== null)
      throw new SvcError('cannot-run', `No chat continues while a disk is low: ${disk.reason}.`);
    const open = chats.find(id)?.openTurns ?? [];
    if (open.length > 0 && body.queue !== true) throw createTurnRunsError();
    if (open.length > MAX_QUEUED_TURNS)
      throw new SvcError('conflict', `${MAX_QUEUED_TURNS} turns are already queued.`, {
        data: { reason: 'queue-full' },
      });
    const message = screen(asSaid);
    const before = store.find(id);
    const turns = store.turns(id);
    const missing = open.length > 0 ? [] : listMissingTurns(turns, seed);
    const at = clock.now();
    const seedRows = buildSeedRows(
      id,
      missing.map((turn) => ({ message: screen(turn.message), answer: screen(turn.answer) })),
      { first: turns.length + 1, at },
    );
    const n = turns.length + seedRows.length + 1;
    const turn = createTurnRow({
      investigation: id,
      n,
      at,
      message,
      state: open.length > 0 ? 'queued' : 'running',
      provider: executor.llm.provider,
      model: executor.llm.model,
      context: JSON.stringify(context),
    });
    const isOther = turns.at(-1)?.provider !== executor.llm.provider;
    const set: Partial<InvestigationRow> = { ...choice, updated_at: at, turns: n };
    // Another executor cannot continue the state of this one.
    if (isOther || seedRows.length > 0) set.resume = null;
    const row: RowChange = before
      ? store.patch(id, set)
      : {
          op: 'put',
          table: 'investigations',
          row: { ...createInvestigationRow(id, seedRows[0]?.message ?? message, at), ...set },
        };
    await store.write([
      row,
      ...[...seedRows, turn].map(
        (one): RowChange => ({ op: 'put', table: 'investigation_turns', row: one }),
      ),
    ]);
    const chat = chats.use(id);
    if (seedRows.length > 0) chat.forgetHistory();
    chat.ask({ n, message, executor, note: formatContextNote(context) });
    return { turn: n };
  }

  async function remove(id: string): Promise<void> {
    store.row(id);
    await chats.remove(id);
    await store.drop(id);
  }

  return {
    ask: (body) => inTurn.run(body.sessionId, () => ask(body)),
    watch(id, from, sink) {
      store.row(id);
      const chat = chats.find(id);
      if (chat) return chat.watch(from, sink);
      const isCold = from.after === null && from.turn === null;
      sink.frames([{ id: null, frame: { type: isCold ? 'idle' : 'gap' } }]);
      sink.end();
      return () => undefined;
    },
    requireSession: (id) => void store.row(id),
    async stop(id) {
      store.row(id);
      return { stopped: (await chats.find(id)?.stop()) ?? false };
    },
    investigations({ limit = DEFAULT_LIMIT, offset = 0 }) {
      const sessions = list.page({ limit, offset }).map((row) =>
        toInvestigationSummary(row, {
          isRunning: isRunning(row.id),
          spent: readChatSpending(rows, row.id),
        }),
      );
      return { sessions, total: list.total(), limit, offset };
    },
    async investigation(id) {
      store.row(id);
      chats.use(id).warm();
      chats.shrink();
      return view(id);
    },
    saveInvestigation: (id, body) =>
      inTurn.run(id, async () => {
        const before = store.find(id);
        const turns = store.turns(id);
        const open = isRunning(id);
        const request = open ? { ...body, turns: [] } : body;
        const changes = buildSnapshotChanges({
          id,
          body: request,
          before,
          turns,
          now: clock.now(),
          screen,
        });
        if (changes === null) return null;
        await store.write(changes);
        if (changes.length > 1) chats.find(id)?.forgetHistory();
        const after = store.row(id);
        if (after.findings_sha !== before?.findings_sha)
          await book.check(after, clock.now()).catch((error) => deps.onError('citations', error));
        return view(id);
      }),
    removeInvestigation: (id) => inTurn.run(id, () => remove(id)),
    async evidenceText(id, evidence) {
      store.row(id);
      const n = Number(evidence.slice(1));
      const row = rows.one('investigation_evidence', { investigation: id, n });
      const text =
        row && rows.one('investigation_texts', { investigation: id, sha256: row.sha256 });
      if (text) return { text: text.text };
      throw new SvcError('not-found', `The session ${id} has no look-up ${evidence}.`);
    },
    async citations(id, refs) {
      const row = store.row(id);
      return refs === undefined ? book.check(row, clock.now()) : book.of(row, refs);
    },
    fileLines: async (id, query) => parts.fileLines(readPins(store.row(id)), query),
    pinNewest: (id) =>
      inTurn.run(id, async () => {
        const pins = await Promise.all(readPins(store.row(id)).map((pin) => parts.newest(pin)));
        if (pins.length === 0)
          throw new SvcError(
            'not-possible-now',
            'This conversation has not looked at a repository.',
          );
        await store.write([store.patch(id, { pins: JSON.stringify(pins) })]);
        await book.check(store.row(id), clock.now());
        return view(id);
      }),
    start: () =>
      recoverOpenTurns({
        open: list.openTurns(),
        store,
        clock,
        inTurn,
        choose,
        ask: (id, turn) => chats.use(id).ask(turn),
        onError: deps.onError,
      }),
    async closeChats() {
      isStopping = true;
      await chats.closeAll();
    },
  };
}
