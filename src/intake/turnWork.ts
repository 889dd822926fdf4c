import type { TurnEnd } from '../../machines/index.ts';
import type { ChatPart, ChatRequest, ReadTool } from '../contract/planning/chat.ts';
import { INTAKE_MAX_TOOL_ROUNDS } from '../base/limits/intakeLimits.ts';
import { SvcError } from '../base/errors/errors.ts';
import type { IntakeFrame } from '../contract/schema/planning/intakeFrames.ts';
import { buildLookupRows } from './chatStore.ts';
import { makeRoom, type Fold } from './history/makeRoom.ts';
import { buildChatEntries, type History, type SettledTurn } from './history/settledTurn.ts';
import type { LiveTurn } from './liveTurn.ts';
import { openChatUsage } from './chatUsage.ts';
import { PartialAnswer } from './partialAnswer.ts';
import type { TurnPlace } from './intakeParts.ts';
import { createPinScope } from './createPinScope.ts';
import { formatFindingsNote } from './prompt/formatFindingsNote.ts';
import type { UsageRecorder } from '../policy/usage/usageRecorder.ts';
import { settleTurn } from './settleTurn.ts';
import type { TurnReports, TurnWorkDeps } from './turnDeps.ts';
import { createClosedAccountError, type ClosedAccount, type TurnAccount } from './turnAccount.ts';
import { createReadTools, type EndedLookup, type StartedLookup } from './tools/readTools.ts';
import type { EvidenceRow } from './investigationRows.ts';

const listCitedEvidence = (evidence: readonly EvidenceRow[]): ReadonlySet<string> =>
  new Set(evidence.flatMap(({ n, cited }) => (cited === 1 ? [`E${n}`] : [])));

/** Tokens per character until an endpoint has counted; the same for every turn. */
const TOKENS_PER_CHAR = 0.3;

/** The steps of one turn: read, ask, look up, store. */
export class TurnWork {
  readonly #id: string;
  readonly #live: LiveTurn;
  readonly #deps: TurnWorkDeps;
  readonly #reports: TurnReports;
  readonly #partial: PartialAnswer;
  readonly #account: TurnAccount;
  #system = '';
  #message = '';
  #history: History = { summary: null, foldedTo: 0, turns: [] };
  #fold: Fold | null = null;
  /** null until the turn is opened. */
  #usage: UsageRecorder | null = null;
  #firstEvidence = 1;
  #nextEvidence = 1;
  #lookupsBefore = 0;
  /** The limit because of which the model is not asked again; null = it is. */
  #closed: ClosedAccount | null = null;
  /** A part has arrived since the model was last asked. */
  #hasCome = false;

  constructor(id: string, live: LiveTurn, deps: TurnWorkDeps, reports: TurnReports) {
    this.#id = id;
    this.#live = live;
    this.#deps = deps;
    this.#reports = reports;
    this.#account = deps.openTurnAccount(live.asked.executor.accountId);
    const { store, clock, onError } = deps;
    this.#partial = new PartialAnswer(
      clock,
      () => {
        const { answer, thinking } = live;
        return store.write([store.patchTurn(id, live.n, { answer, thinking })]);
      },
      (error) => onError('store', error),
    );
  }

  /** Reads what the turn needs; returns whether the conversation fits as it is. */
  async open(history: History): Promise<boolean> {
    const { store, parts } = this.#deps;
    const { asked } = this.#live;
    const row = store.row(this.#id);
    if (store.turn(this.#id, asked.n).state === 'queued')
      await store.write([store.patchTurn(this.#id, asked.n, { state: 'running' })]);
    this.#usage = openChatUsage(this.#deps.ledger, row, asked);
    const evidence = store.evidence(this.#id);
    this.#firstEvidence = (evidence.at(-1)?.n ?? 0) + 1;
    this.#nextEvidence = this.#firstEvidence;
    this.#lookupsBefore = row.lookups;
    this.#system = await parts.systemPrompt();
    this.#message = [asked.note, formatFindingsNote(row), asked.message]
      .filter((text) => text !== '')
      .join('\n\n');
    this.#history = history;
    this.#fold = makeRoom(history, {
      windowTokens: parts.readContextWindow(asked.executor.llm),
      tokensPerChar: TOKENS_PER_CHAR,
      beside: this.#system.length + this.#message.length,
      cited: listCitedEvidence(evidence),
    });
    return this.#fold.freed === 0;
  }

  /**
   * Stores the shortened conversation. Throws SvcError `too-large` if a second fold in a row frees
   * too little.
   */
  async fold(hasFoldedForLittle: boolean): Promise<{ history: History; isForLittle: boolean }> {
    const { store } = this.#deps;
    const { history, isForLittle } = this.#fold ?? { history: this.#history, isForLittle: false };
    if (isForLittle && hasFoldedForLittle)
      throw new SvcError(
        'too-large',
        'This conversation fills the window of the model, and shortening it frees too little. Start a new chat from these findings.',
        { data: { reason: 'window-full' } },
      );
    const before = new Map(this.#history.turns.map(({ n, replay }) => [n, replay]));
    const { foldedTo, summary, turns } = history;
    await store.write([
      store.patch(this.#id, { folded_to: foldedTo, summary }),
      ...turns
        .filter(({ n, replay }) => before.get(n) !== replay)
        .map(({ n, replay }) => store.patchTurn(this.#id, n, { replay })),
    ]);
    this.#history = { ...history, turns: turns.filter(({ n }) => n > foldedTo) };
    return { history: this.#history, isForLittle };
  }

  /** Asks the model; resolves with how the turn ended. Never rejects. */
  async ask(): Promise<Exclude<TurnEnd, 'overdue'>> {
    const { place: openPlace, onError } = this.#deps;
    const live = this.#live;
    const account = this.#account;
    let place: TurnPlace | null = null;
    try {
      await account.enter();
      const closedAccount = account.findLimit();
      if (closedAccount !== null) return this.#failAsClosed(closedAccount);
      place = await openPlace(this.#id, live.n);
      const run = await live.asked.executor.chat(this.#request(place));
      live.isFallback = run.fallback === true;
      const result = await run.result;
      const resetsAt = await account.reportEnd(result);
      live.result = { ...result, resetsAt };
      const isCut = result.stop === 'interrupted' && this.#closed !== null;
      return isCut && this.#closed ? this.#failAsClosed(this.#closed) : result.stop;
    } catch (error) {
      live.fail(error);
      return live.abort.signal.aborted ? 'interrupted' : 'error';
    } finally {
      await place?.release().catch((error) => onError('turn', error));
    }
  }

  #failAsClosed(closedAccount: ClosedAccount): 'quota' {
    this.#live.fail(createClosedAccountError(closedAccount));
    return 'quota';
  }

  /** Stores the outcome of the turn; returns its last frame. */
  async settle(end: TurnEnd): Promise<{ frame: IntakeFrame; settled: SettledTurn }> {
    await this.#partial.end();
    await this.#usage?.awaitWritten();
    return settleTurn({
      id: this.#id,
      live: this.#live,
      end,
      usage: this.#usage,
      deps: this.#deps,
      tell: (frame) => this.#reports.tell(frame),
    });
  }

  #request(place: TurnPlace): ChatRequest {
    const { screen } = this.#deps;
    const { asked, n, abort } = this.#live;
    return {
      sessionId: this.#id,
      turn: n,
      system: this.#system,
      history: buildChatEntries(this.#history),
      message: this.#message,
      tools: this.#tools(),
      llm: asked.executor.llm,
      maxRounds: INTAKE_MAX_TOOL_ROUNDS,
      resume: this.#deps.store.row(this.#id).resume,
      stateDir: place.stateDir,
      env: place.env,
      marker: place.marker,
      toolServer: place.toolServer,
      sandbox: async (need) => {
        const { sandbox, lacks } = await place.sandbox({ ...need, llm: asked.executor.llm });
        if (lacks !== null)
          this.#reports.tell({ type: 'note', text: `Nothing confines the agent: ${lacks}.` });
        return sandbox;
      },
      screen,
      signal: abort.signal,
      onPart: (part) => this.#part(part),
    };
  }

  #part(part: ChatPart): Promise<void> | undefined {
    const live = this.#live;
    if (live.isOver) return undefined;
    this.#account.take(part);
    if (part.type === 'limits') return undefined;
    live.take(part);
    if (!this.#hasCome) {
      this.#hasCome = true;
      this.#reports.event({ type: 'answer.came' });
    }
    if (part.type === 'usage') return this.#usage?.take(part);
    if (part.type === 'round') this.#endLine();
    else if (part.type === 'note' || part.type === 'again') this.#reports.tell(part);
    else this.#reports.delta(part.type, part.text);
    this.#partial.note();
    return undefined;
  }

  #tools(): ReadTool[] {
    const { parts, store, clock, screen, visible, toolsEnabled } = this.#deps;
    if (!toolsEnabled()) return [];
    const listMessages = () =>
      [...this.#history.turns, this.#live.asked].map(({ message }) => message);
    const lookups = parts.lookups(createPinScope(store, store.row(this.#id), listMessages));
    return createReadTools({
      lookups,
      now: () => clock.now(),
      screen,
      visible,
      key: this.#live.key,
      next: () => this.#nextEvidence++,
      onStart: (lookup) => this.#lookupBegins(lookup),
      onEnd: (lookup) => this.#lookupIsOver(lookup),
    });
  }

  /** Text after a look-up begins a line, for live readers as in the stored answer. */
  #endLine(): void {
    const end = this.#live.endLine();
    if (end !== '') this.#reports.delta('token', end);
  }

  #toNumberInTurn(evidence: number): number {
    return evidence - this.#firstEvidence + 1;
  }

  #lookupBegins({ n, tool, target }: StartedLookup): void {
    const live = this.#live;
    if (live.isOver) return;
    this.#endLine();
    live.lookupBegins(n);
    const { round } = live;
    this.#reports.event({ type: 'lookup.began', round });
    this.#reports.tell({
      type: 'tool_start',
      id: `E${n}`,
      name: tool,
      target,
      n: this.#toNumberInTurn(n),
      round,
    });
  }

  async #lookupIsOver(lookup: EndedLookup): Promise<void> {
    const live = this.#live;
    if (live.isOver) return;
    const { item, ms } = lookup;
    live.items.push(item);
    // A tool never fails because of the store; a turn that cannot be stored fails at its end.
    await this.#storeLookup(lookup).catch((error) => this.#deps.onError('store', error));
    if (live.isOver) return;
    this.#hasCome = false;
    this.#closed = this.#account.findLimit();
    if (this.#closed !== null) live.abort.abort();
    this.#reports.event({ type: 'lookup.ended' });
    this.#reports.tell({
      type: 'tool_end',
      id: `E${item.n}`,
      name: item.tool,
      target: item.target,
      n: this.#toNumberInTurn(item.n),
      round: live.findPlace(item.n).round,
      ok: item.ok,
      ms,
      evidence: `E${item.n}`,
      trust: item.trust,
      chars: item.text.length,
    });
  }

  #storeLookup(lookup: EndedLookup): Promise<void> {
    const { store } = this.#deps;
    const live = this.#live;
    const { n, items, answer, thinking } = live;
    return store.write([
      ...buildLookupRows(this.#id, n, lookup, live.findPlace(lookup.item.n)),
      store.patch(this.#id, { lookups: this.#lookupsBefore + items.length }),
      store.patchTurn(this.#id, n, { answer, thinking }),
    ]);
  }
}
