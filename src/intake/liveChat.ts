import { createActor, fromPromise, type Actor } from 'xstate';
import { intakeMachine, type TurnEnd } from '../../machines/index.ts';
import type { IntakeSink, NumberedFrame } from '../contract/planning/intake.ts';
import { INTAKE_MAX_TOOL_ROUNDS } from '../base/limits/intakeLimits.ts';
import { createActorClock } from '../base/time/createActorClock.ts';
import type { IntakeFrame } from '../contract/schema/planning/intakeFrames.ts';
import { Deltas } from './deltas.ts';
import { FrameRing, parseFrameId } from './frameRing.ts';
import { countHistoryChars, type History } from './history/settledTurn.ts';
import type { LivePart } from './investigationView.ts';
import { LiveTurn, type AskedTurn } from './liveTurn.ts';
import type { TurnWorkDeps } from './turnDeps.ts';
import { TurnWork } from './turnWork.ts';

interface Reader {
  sink: IntakeSink;
  /** The reader gets no frames of earlier turns. */
  turn: number;
}

class Readers {
  readonly #readers = new Set<Reader>();

  get size(): number {
    return this.#readers.size;
  }

  /** Returns a function that removes the reader. */
  add(sink: IntakeSink, turn: number): () => void {
    const reader = { sink, turn };
    this.#readers.add(reader);
    return () => void this.#readers.delete(reader);
  }

  send(turn: number, frame: NumberedFrame): void {
    for (const reader of [...this.#readers]) if (reader.turn <= turn) reader.sink.frames([frame]);
  }

  /** Removes readers that waited for the end of this turn. */
  turnIsOver(turn: number): void {
    this.#end((reader) => reader.turn <= turn);
  }

  end(): void {
    this.#end(() => true);
  }

  #end(isOver: (reader: Reader) => boolean): void {
    for (const reader of [...this.#readers]) {
      if (!isOver(reader)) continue;
      this.#readers.delete(reader);
      reader.sink.end();
    }
  }
}

/** Approximate memory of a chat without its texts, bytes. */
const CHAT_BYTES = 20_000;
/** Most bytes of a character. */
const CHAR_BYTES = 2;

export interface LiveChatDeps extends TurnWorkDeps {
  /** What later turns are sent of a stored conversation. */
  history(id: string): History;
  onTurnOver(chat: LiveChat): void;
}

/**
 * A conversation in memory: its actor, the frames of its newest turns, its readers, and the history
 * for later turns. Everything but a running turn can be restored from the store.
 */
export class LiveChat {
  readonly id: string;
  readonly #deps: LiveChatDeps;
  readonly #ring = new FrameRing();
  readonly #readers = new Readers();
  readonly #deltas: Deltas;
  readonly #actor: Actor<ReturnType<typeof intakeMachine>>;
  readonly #asked = new Map<number, AskedTurn>();
  readonly #waiting: { turn: number; onDone(): void }[] = [];
  #turn: { live: LiveTurn; work: TurnWork } | null = null;
  #history: History | null = null;
  /** The previous fold freed little: another one like it ends the turn. */
  #hasFoldedForLittle = false;
  #isClosed = false;

  constructor(id: string, deps: LiveChatDeps) {
    this.id = id;
    this.#deps = deps;
    this.#deltas = new Deltas(deps.clock, (frame) => this.#emit(frame));
    this.#actor = this.#createActor();
    this.#actor.start();
  }

  get openTurns(): number[] {
    return [...this.#asked.keys()];
  }

  /** Approximate. */
  get bytes(): number {
    const chars = this.#history === null ? 0 : countHistoryChars(this.#history);
    return CHAT_BYTES + this.#ring.bytes + chars * CHAR_BYTES;
  }

  /** It is watched or running, so it cannot be forgotten. */
  get isBusy(): boolean {
    return this.#asked.size > 0 || this.#readers.size > 0;
  }

  /** Call it when the message is stored. */
  ask(turn: AskedTurn): void {
    this.#asked.set(turn.n, turn);
    this.#actor.send({ type: 'turn.asked', turn: turn.n });
  }

  /** Reads the history ahead of the next turn. */
  warm(): void {
    this.#history ??= this.#deps.history(this.id);
  }

  /** The store was changed outside the turns. */
  forgetHistory(): void {
    this.#history = null;
  }

  /** Resolves when the running turn has ended; false = none was running. */
  async stop(): Promise<boolean> {
    const turn = this.#turn?.live.n ?? this.openTurns[0];
    if (turn === undefined) return false;
    const over = this.#awaitEnd(turn);
    this.#actor.send({ type: 'stop' });
    await over;
    return true;
  }

  /** Stops the running turn, starts no other, and disconnects readers. */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#turn) this.#turn.live.isCutOff = true;
    const running = this.#turn?.live.n ?? null;
    const over = running === null ? Promise.resolve() : this.#awaitEnd(running);
    this.#actor.send({ type: 'close' });
    await over;
    this.#readers.end();
    this.#actor.stop();
  }

  /** The part that is not stored yet; frames have been sent up to here. */
  readLivePart(): LivePart {
    this.#deltas.flush();
    const turn = this.#turn?.live;
    return {
      turn: turn ? { n: turn.n, answer: turn.answer, thinking: turn.thinking } : null,
      lastFrame: this.#ring.lastId,
    };
  }

  /** See `Intake.watch`. */
  watch(from: { after: string | null; turn: number | null }, sink: IntakeSink): () => void {
    this.#deltas.flush();
    const runs = this.#turn?.live.n ?? this.openTurns[0] ?? null;
    const place =
      from.after === null
        ? { turn: from.turn ?? runs ?? 0, n: 0 }
        : (parseFrameId(from.after) ?? { turn: 0, n: 0 });
    const isAhead = from.after === null && this.#asked.has(place.turn);
    if (runs === null && from.after === null && from.turn === null)
      return this.#farewell(sink, { type: 'idle' });
    const numberedFrames =
      this.#ring.listAfter(place) ?? (isAhead && !this.#hasBegun(place.turn) ? [] : null);
    if (numberedFrames === null) return this.#farewell(sink, { type: 'gap' });
    if (numberedFrames.length > 0) sink.frames(numberedFrames);
    const isOpen = runs !== null && this.openTurns.some((turn) => turn >= place.turn);
    if (isOpen && !this.#isClosed) return this.#readers.add(sink, Math.max(place.turn, runs));
    return this.#farewell(sink, numberedFrames.length === 0 ? { type: 'idle' } : null);
  }

  #hasBegun(turn: number): boolean {
    return this.#turn !== null && this.#turn.live.n >= turn;
  }

  #farewell(sink: IntakeSink, frame: IntakeFrame | null): () => void {
    if (frame !== null) sink.frames([{ id: null, frame }]);
    sink.end();
    return () => undefined;
  }

  #emit(frame: IntakeFrame): void {
    const turn = this.#turn?.live.n ?? 0;
    this.#readers.send(turn, this.#ring.add(frame));
  }

  /** Sends a frame after the text before it. */
  #tell(frame: IntakeFrame): void {
    this.#deltas.flush();
    this.#emit(frame);
  }

  #awaitEnd(turn: number): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push({ turn, onDone: resolve });
    });
  }

  #work(): { live: LiveTurn; work: TurnWork } {
    if (this.#turn) return this.#turn;
    throw new Error(`no turn of the plan-mode session ${this.id} runs`);
  }

  #createActor(): Actor<ReturnType<typeof intakeMachine>> {
    const { clock, onError } = this.#deps;
    const machine = intakeMachine().provide({
      actors: {
        open: fromPromise(({ input: { turn } }) => this.#open(turn)),
        fold: fromPromise(() => this.#fold()),
        settle: fromPromise(({ input: { end } }) => this.#settle(end)),
      },
      actions: {
        ask: () => this.#ask(),
        abort: () => this.#turn?.live.abort.abort(),
        reportLoss: ({ event }) =>
          onError('store', 'error' in event ? event.error : new Error('a turn was not stored')),
      },
    });
    const input = { maxRounds: INTAKE_MAX_TOOL_ROUNDS };
    return createActor(machine, { input, clock: createActorClock(clock) });
  }

  async #open(n: number): Promise<boolean> {
    const askedTurn = this.#asked.get(n);
    if (!askedTurn) throw new Error(`turn ${n} was not started`);
    const live = new LiveTurn(askedTurn, this.#deps.ids.next());
    const work = new TurnWork(this.id, live, this.#deps, {
      tell: (frame) => this.#tell(frame),
      delta: (kind, text) => this.#deltas.push(kind, text),
      event: (event) => this.#actor.send(event),
    });
    this.#turn = { live, work };
    this.#ring.begin(n);
    this.#tell({ type: 'turn', n, message: askedTurn.message });
    return this.#runGuarded(async () => {
      this.warm();
      return work.open(this.#history ?? this.#deps.history(this.id));
    });
  }

  #fold(): Promise<void> {
    const { work } = this.#work();
    return this.#runGuarded(async () => {
      const { history, isForLittle } = await work.fold(this.#hasFoldedForLittle);
      this.#history = history;
      this.#hasFoldedForLittle = isForLittle;
      this.#tell({ type: 'note', text: 'Earlier turns were shortened to make room.' });
    });
  }

  /** Errors before the model is asked become the end of the turn. */
  async #runGuarded<T>(act: () => Promise<T>): Promise<T> {
    try {
      return await act();
    } catch (error) {
      this.#work().live.fail(error);
      throw error;
    }
  }

  #ask(): void {
    const { live, work } = this.#work();
    void work.ask().then((end) => {
      if (!live.isOver) this.#actor.send({ type: 'turn.ended', end });
    });
  }

  async #settle(end: TurnEnd): Promise<void> {
    const { live, work } = this.#work();
    live.isOver = true;
    this.#deltas.flush();
    let last: IntakeFrame;
    let loss: { error: unknown } | null = null;
    try {
      const { frame, settled } = await work.settle(end);
      last = frame;
      if (this.#history)
        this.#history = { ...this.#history, turns: [...this.#history.turns, settled] };
    } catch (error) {
      loss = { error };
      this.#history = null;
      last = {
        type: 'error',
        message: 'The turn has ended, but it could not be stored.',
        reason: 'store-failed',
      };
    }
    this.#tell(last);
    this.#turn = null;
    this.#asked.delete(live.n);
    this.#readers.turnIsOver(live.n);
    if (this.#asked.size === 0) this.#ring.settle();
    for (const waiter of this.#waiting.splice(0)) {
      if (waiter.turn <= live.n) waiter.onDone();
      else this.#waiting.push(waiter);
    }
    this.#deps.onTurnOver(this);
    if (loss) throw loss.error;
  }
}
