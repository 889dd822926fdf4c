import type { TurnEnd } from '../../machines/index.ts';
import type { ChatPart, ChatRequest, ReadTool } from '../contract/chat.ts';
import { INTAKE_MAX_TOOL_ROUNDS } from '../domain/intakeLimits.ts';
import { SvcError } from '../lib/errors.ts';
import type { IntakeFrame } from '../schema/intakeFrames.ts';
import { lookupRows, shownBefore } from './chatStore.ts';
import { afterTurn } from './afterTurn.ts';
import { type Fold, LEAST_FREED, makeRoom, type Room } from './history/makeRoom.ts';
import { chatEntries, type History, type SettledTurn } from './history/settledTurn.ts';
import { settledTurnOf } from './history/storedHistory.ts';
import { citedEvidence } from './citedEvidence.ts';
import type { TurnRow } from './investigationRows.ts';
import type { LiveTurn } from './liveTurn.ts';
import { PartialAnswer } from './partialAnswer.ts';
import type { TurnPlace } from './parts.ts';
import { pinScope } from './pinScope.ts';
import { findingsNote } from './prompt/findingsNote.ts';
import { settledRows } from './settledRows.ts';
import type { TurnReports, TurnWorkDeps } from './turnDeps.ts';
import { type EndedLookup, readTools, type StartedLookup } from './tools/readTools.ts';

/** Tokens of a character, before an endpoint has counted: the same for every turn. */
const TOKENS_PER_CHAR = 0.3;

const NOTES: Partial<Readonly<Record<TurnEnd, string>>> = {
  rounds: `The model has used its ${INTAKE_MAX_TOOL_ROUNDS} rounds of look-ups.`,
  cut: 'The answer was cut at the longest answer of the model.',
  refusal: 'The model has refused to answer.',
};

/** What is done for one turn: read, ask, look up, store. */
export class TurnWork {
  readonly #id: string;
  readonly #live: LiveTurn;
  readonly #deps: TurnWorkDeps;
  readonly #reports: TurnReports;
  readonly #partial: PartialAnswer;
  #system = '';
  #message = '';
  #history: History = { summary: null, foldedTo: 0, turns: [] };
  #fold: Fold | null = null;
  #room: Room | null = null;
  #firstEvidence = 1;
  #nextEvidence = 1;
  #lookupsBefore = 0;
  /** A part has come since the model was asked last. */
  #hasCome = false;

  constructor(id: string, live: LiveTurn, deps: TurnWorkDeps, reports: TurnReports) {
    this.#id = id;
    this.#live = live;
    this.#deps = deps;
    this.#reports = reports;
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

  /** Reads what the turn needs; answers whether the conversation fits as it is. */
  async open(history: History): Promise<boolean> {
    const { store, parts } = this.#deps;
    const { asked } = this.#live;
    const row = store.row(this.#id);
    if (store.turn(this.#id, asked.n).state === 'queued')
      await store.write([store.patchTurn(this.#id, asked.n, { state: 'running' })]);
    const evidence = store.evidence(this.#id);
    this.#firstEvidence = (evidence.at(-1)?.n ?? 0) + 1;
    this.#nextEvidence = this.#firstEvidence;
    this.#lookupsBefore = row.lookups;
    this.#system = await parts.systemPrompt();
    this.#message = [asked.note, findingsNote(row), asked.message]
      .filter((text) => text !== '')
      .join('\n\n');
    this.#history = history;
    this.#room = {
      windowTokens: parts.windowOf(asked.executor.llm),
      tokensPerChar: TOKENS_PER_CHAR,
      beside: this.#system.length + this.#message.length,
      cited: citedEvidence(evidence),
    };
    this.#fold = makeRoom(history, this.#room);
    return this.#fold.freed === 0;
  }

  /**
   * Stores the shorter conversation. Throws SvcError `too-large` where a second fold in a row frees
   * too little.
   */
  async fold(hasFoldedForLittle: boolean): Promise<{ history: History; isForLittle: boolean }> {
    const { store } = this.#deps;
    const { history, freed } = this.#fold ?? { history: this.#history, freed: 0 };
    const isForLittle = freed < LEAST_FREED;
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
    let place: TurnPlace | null = null;
    try {
      place = await openPlace(this.#id, live.n);
      const run = await live.asked.executor.chat(this.#request(place));
      live.isFallback = run.fallback === true;
      live.result = await run.result;
      return live.result.stop;
    } catch (error) {
      live.fail(error);
      return live.abort.signal.aborted ? 'interrupted' : 'error';
    } finally {
      await place?.release().catch((error) => onError('turn', error));
    }
  }

  /** Stores what the turn has brought; answers its last frame. */
  async settle(end: TurnEnd): Promise<{ frame: IntakeFrame; settled: SettledTurn }> {
    const { store, clock, parts, onError } = this.#deps;
    const live = this.#live;
    const note = NOTES[end];
    if (note !== undefined) this.#reports.tell({ type: 'note', text: note });
    await this.#partial.end();
    const before = store.row(this.#id);
    const asked: TurnRow = store.turn(this.#id, live.n);
    const { turn, investigation } = settledRows({
      turn: live,
      end,
      row: before,
      said: store
        .turns(this.#id)
        .map(({ message }) => message)
        .join('\n'),
      context: asked.context,
      shown: shownBefore(store.evidence(this.#id), live.n),
      isFree: parts.isFree(live.asked.executor.llm),
      now: clock.now(),
    });
    await store.write([
      store.patchTurn(this.#id, live.n, turn),
      store.patch(this.#id, investigation),
    ]);
    const frame = await afterTurn({
      id: this.#id,
      live,
      turn,
      before,
      store,
      parts,
      clock,
      onError,
    });
    return { frame, settled: settledTurnOf({ ...asked, ...turn }) };
  }

  #request(place: TurnPlace): ChatRequest {
    const { screen } = this.#deps;
    const { asked, n, abort } = this.#live;
    return {
      sessionId: this.#id,
      turn: n,
      system: this.#system,
      history: chatEntries(this.#history),
      message: this.#message,
      tools: this.#tools(),
      llm: asked.executor.llm,
      maxRounds: INTAKE_MAX_TOOL_ROUNDS,
      resume: this.#deps.store.row(this.#id).resume,
      stateDir: place.stateDir,
      env: place.env,
      marker: place.marker,
      toolServer: place.toolServer,
      screen,
      signal: abort.signal,
      onPart: (part) => this.#part(part),
    };
  }

  #part(part: ChatPart): undefined {
    const live = this.#live;
    if (live.isOver) return;
    live.take(part);
    if (!this.#hasCome) {
      this.#hasCome = true;
      this.#reports.event({ type: 'answer.came' });
    }
    if (part.type === 'usage') return;
    if (part.type === 'note' || part.type === 'again') this.#reports.tell(part);
    else this.#reports.delta(part.type, part.text);
    this.#partial.note();
  }

  #tools(): ReadTool[] {
    const { parts, store, clock, screen, visible, toolsEnabled } = this.#deps;
    if (!toolsEnabled()) return [];
    const said = () => [...this.#history.turns, this.#live.asked].map(({ message }) => message);
    const lookups = parts.lookups(pinScope(store, store.row(this.#id), said));
    return readTools({
      lookups,
      now: () => clock.now(),
      screen,
      visible,
      key: this.#live.key,
      next: () => this.#nextEvidence++,
      onStart: (started) => this.#lookupBegins(started),
      onEnd: (ended) => this.#lookupIsOver(ended),
    });
  }

  /** Its place within the turn. */
  #placeOf(evidence: number): number {
    return evidence - this.#firstEvidence + 1;
  }

  #lookupBegins({ n, tool, target }: StartedLookup): void {
    const live = this.#live;
    live.roundIsOver();
    if (live.isOver) return;
    this.#reports.event({ type: 'lookup.began' });
    this.#reports.tell({
      type: 'tool_start',
      id: `E${n}`,
      name: tool,
      target,
      n: this.#placeOf(n),
    });
  }

  async #lookupIsOver(ended: EndedLookup): Promise<void> {
    const live = this.#live;
    if (live.isOver) return;
    const { item, ms } = ended;
    live.items.push(item);
    // A tool never fails because of the store; a turn that cannot be stored does, at its end.
    await this.#storeLookup(ended).catch((error) => this.#deps.onError('store', error));
    if (live.isOver) return;
    this.#hasCome = false;
    this.#reports.event({ type: 'lookup.ended' });
    this.#reports.tell({
      type: 'tool_end',
      id: `E${item.n}`,
      name: item.tool,
      target: item.target,
      n: this.#placeOf(item.n),
      ok: item.ok,
      ms,
      evidence: `E${item.n}`,
      trust: item.trust,
      chars: item.text.length,
    });
  }

  #storeLookup(ended: EndedLookup): Promise<void> {
    const { store } = this.#deps;
    const { n, items, answer, thinking } = this.#live;
    return store.write([
      ...lookupRows(this.#id, n, ended),
      store.patch(this.#id, { lookups: this.#lookupsBefore + items.length }),
      store.patchTurn(this.#id, n, { answer, thinking }),
    ]);
  }
}
