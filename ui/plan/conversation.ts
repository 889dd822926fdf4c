import { createStore, produce } from 'solid-js/store';
import type { Client } from '../../src/api/client/client.ts';
import { watchTurn } from '../../src/api/client/intakeFrames.ts';
import type { IntakeBody, Investigation } from '../../src/contract/schema/planning/intake.ts';
import type { IntakeFrame } from '../../src/contract/schema/planning/intakeFrames.ts';
import type { RunnerConnection } from '../shell/connection/connection.ts';
import { runWhileSeated } from '../shell/connection/runWhileSeated.ts';
import { isNotFound } from '../shell/problems/explainProblem.ts';
import {
  createEmptyTurn,
  type ShownTurn,
  toStoredFrames,
  toShownTurn,
  TurnReader,
} from './turnParts.ts';

export interface Conversation {
  /** As it was read last; null = it is not stored, or not read yet. */
  investigation: Investigation | null;
  loaded: boolean;
  turns: ShownTurn[];
  /** The answer was begun before this page came. */
  reattached: boolean;
  /** Other tabs hold all streams that the browser can have. */
  crowded: boolean;
  /** Why it could not be read; null = it was read. */
  problem: unknown;
}

interface ConversationOptions {
  client: Client;
  connection: Pick<RunnerConnection, 'broke' | 'report'>;
  sessionId: string;
  signal: AbortSignal;
  /** Calls back before the page is drawn next; deltas are shown once for each drawing. */
  runBeforeDrawing: (draw: () => void) => void;
}

export type ConversationView = ReturnType<typeof createConversation>;

/** A conversation with the runner. A turn continues whether or not a page is open. */
export function createConversation(options: ConversationOptions) {
  const { client, connection, sessionId, signal, runBeforeDrawing: nextDrawing } = options;
  const [shown, set] = createStore<Conversation>({
    investigation: null,
    loaded: false,
    turns: [],
    reattached: false,
    crowded: false,
    problem: null,
  });
  const watchedTurns = new Set<number>();
  let reader: TurnReader | null = null;
  let frames: IntakeFrame[] = [];
  let following = false;
  /** Id of the frame after which the stream continues; null = from the beginning of the turn. */
  let after: string | null = null;

  const isRunning = () => shown.turns.some(({ state }) => state === 'running');

  const edit = (change: (turns: ShownTurn[]) => void) =>
    set(produce((state) => change(state.turns)));

  function begin(turns: ShownTurn[], n: number, message: string): void {
    const at = turns.findIndex((turn) => turn.n === n);
    const turn = createEmptyTurn(n, message, 'running');
    if (at < 0) turns.push(turn);
    else turns[at] = turn;
    watchedTurns.add(n);
    const heldTurn = turns.find((one) => one.n === n);
    reader = heldTurn ? new TurnReader(heldTurn) : null;
  }

  function flush(): void {
    const newFrames = frames;
    frames = [];
    if (newFrames.length === 0 || signal.aborted) return;
    edit((turns) => {
      for (const frame of newFrames) {
        if (frame.type === 'turn') begin(turns, frame.n, frame.message);
        else reader?.take(frame);
      }
    });
  }

  function take(frame: IntakeFrame): void {
    if (frames.length === 0) nextDrawing(flush);
    frames.push(frame);
  }

  /** Turns that this page has watched keep what is shown of them: a selection in it survives. */
  function merge(investigation: Investigation): void {
    edit((turns) => {
      for (const storedTurn of investigation.turns) {
        const at = turns.findIndex(({ n }) => n === storedTurn.n);
        const knownTurn = turns[at];
        if (knownTurn && (watchedTurns.has(storedTurn.n) || knownTurn.state === storedTurn.state)) {
          knownTurn.state = storedTurn.state;
          knownTurn.error = storedTurn.error;
          knownTurn.reason = storedTurn.reason;
        } else if (knownTurn) turns[at] = toShownTurn(storedTurn, investigation.evidence);
        else turns.push(toShownTurn(storedTurn, investigation.evidence));
      }
    });
  }

  async function read(): Promise<Investigation | null> {
    try {
      const investigation = await client.investigation(sessionId);
      if (signal.aborted) return null;
      set({ investigation, loaded: true, problem: null });
      merge(investigation);
      return investigation;
    } catch (problem) {
      if (signal.aborted) return null;
      // A conversation that is not stored is empty so far, or was removed.
      if (isNotFound(problem)) {
        watchedTurns.clear();
        set({ investigation: null, loaded: true, problem: null, turns: [] });
      } else if (!connection.report(problem)) set({ problem, loaded: true });
      return null;
    }
  }

  /** Frames are missing: what is stored replaces what is shown of turns that were watched. */
  async function readAgain(): Promise<void> {
    flush();
    watchedTurns.clear();
    const investigation = await read();
    after = investigation?.lastFrame ?? null;
    const runningTurn = investigation?.turns.find(({ state }) => state === 'running');
    if (!investigation || !runningTurn) return;
    take({ type: 'turn', n: runningTurn.n, message: runningTurn.message });
    for (const frame of toStoredFrames(runningTurn, investigation.evidence)) take(frame);
  }

  /** Watches until the turn is over, or the signal is aborted; true = it is over. */
  async function watch(until: AbortSignal): Promise<boolean> {
    const streamOptions = { client, signal: until, onLost: () => connection.broke() };
    for await (const { id, frame } of watchTurn(streamOptions, sessionId, after)) {
      after = id ?? after;
      if (frame.type === 'gap') {
        await readAgain();
        return false;
      }
      take(frame);
      if (frame.type === 'done' || frame.type === 'error' || frame.type === 'idle') return true;
    }
    return false;
  }

  async function follow(): Promise<void> {
    if (following || signal.aborted) return;
    following = true;
    after = null;
    try {
      await runWhileSeated({ signal, run: watch, waits: (crowded) => set({ crowded }) });
    } catch (problem) {
      if (!connection.report(problem)) set({ problem });
    } finally {
      following = false;
    }
    flush();
    set({ reattached: false });
    // Queued messages begin as soon as a turn is over.
    if (!signal.aborted) await look();
  }

  /** Reads the conversation, and watches the turn that runs. */
  async function look(): Promise<void> {
    const investigation = await read();
    if (investigation?.running) void follow();
  }

  return {
    sessionId,
    shown,
    isRunning,
    look,
    async start(): Promise<void> {
      await look();
      if (following) set({ reattached: true });
    },
    /** Sends a message; resolves once it is stored. Throws what the runner refuses with. */
    async ask(body: Omit<IntakeBody, 'sessionId'>): Promise<void> {
      const response = await client.intakeStream({ ...body, sessionId });
      // All pages watch a turn in the same way, including the one that sent the message.
      await response.body?.cancel();
      await look();
    },
    async stop(): Promise<void> {
      await client.stopInvestigation(sessionId);
    },
  };
}
