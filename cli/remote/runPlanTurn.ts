import type { Client } from '../../src/api/client/client.ts';
import { sendChatMessage, watchTurn } from '../../src/api/client/intakeFrames.ts';
import { BlockSplitter, type AnswerPiece } from '../../src/base/agents/hiddenBlocks.ts';
import { SvcError } from '../../src/base/errors/errors.ts';
import type { ChatTurn, IntakeBody } from '../../src/contract/schema/planning/intake.ts';
import type { IntakeFrame } from '../../src/contract/schema/planning/intakeFrames.ts';
import type { Io } from '../io.ts';
import { formatLookupLine } from '../render/job/formatPlanResult.ts';
import { toPrintable, toPrintableLine } from '../render/text/toPrintable.ts';

/** How a turn ended: `detached` = the person left, and it was stopped. */
export type TurnEnd = 'done' | 'interrupted' | 'detached';

interface PlanTurn {
  client: Pick<
    Client,
    'intakeStream' | 'watchInvestigation' | 'investigation' | 'stopInvestigation'
  >;
  body: IntakeBody;
  io: Pick<Io, 'err' | 'color' | 'onInterrupt'>;
  /** Receives the visible answer as it comes; default: no one reads it. */
  show: ((text: string) => void) | null;
}

/** Shows frames to a person: the answer on one side, what happens beside it on the other. */
class TurnScreen {
  readonly #io: PlanTurn['io'];
  readonly #show: (text: string) => void;
  #splitter = new BlockSplitter();
  #thinking = false;
  #began = false;

  constructor(io: PlanTurn['io'], show: (text: string) => void) {
    this.#io = io;
    this.#show = show;
  }

  take(frame: IntakeFrame): void {
    this.#began = true;
    if (frame.type === 'token') this.#say(this.#splitter.push(frame.text));
    else if (frame.type === 'thinking') this.#think();
    else if (frame.type === 'tool_end')
      this.#io.err(`${formatLookupLine(frame, this.#io.color)}\n`);
    else if (frame.type === 'note') this.#io.err(`${toPrintableLine(frame.text)}\n`);
    else if (frame.type === 'again') this.#restartAnswer();
  }

  /** The answer is over; a turn that was refused has none. */
  end(): void {
    if (!this.#began) return;
    this.#say(this.#splitter.end());
    this.#show('\n');
  }

  #say(pieces: readonly AnswerPiece[]): void {
    for (const piece of pieces) if (piece.kind === 'text') this.#show(toPrintable(piece.text));
  }

  /** Printed once per turn: thoughts are many. */
  #think(): void {
    if (this.#thinking) return;
    this.#thinking = true;
    this.#io.err(`${this.#io.color.dim('thinking …')}\n`);
  }

  #restartAnswer(): void {
    this.#splitter = new BlockSplitter();
    this.#io.err('The answer was cut off and is repeated.\n');
  }
}

const createTurnError = (message: string, reason: string | null | undefined): SvcError =>
  new SvcError(reason === 'quota' ? 'rate-limited' : 'undecided', message);

/** How a turn ended whose last frames are no longer kept. Throws SvcError where it broke off. */
function readStoredTurnEnd(sessionId: string, turn: ChatTurn | undefined): TurnEnd {
  if (turn?.state === 'done' || turn?.state === 'interrupted') return turn.state;
  if (turn?.state === 'failed')
    throw createTurnError(turn.error ?? 'The turn failed.', turn.reason);
  throw createTurnError(
    `The runner ended in the middle of this answer; the answer so far is kept. Ask again: svc plan --continue ${sessionId} --again`,
    null,
  );
}

/**
 * Says something in a plan-mode chat and shows the answer while it comes. Ctrl-C stops the turn.
 * Throws what `converse` throws, and SvcError for a turn that failed, with its reason.
 */
export async function runPlanTurn({ client, body, io, show }: PlanTurn): Promise<TurnEnd> {
  const { sessionId } = body;
  const stop = new AbortController();
  const forget = io.onInterrupt(() => stop.abort());
  const turnScreen = show === null ? null : new TurnScreen(io, show);
  const onLost = () => io.err('The connection to the runner was lost; trying again …\n');
  const streamOptions = { client, signal: stop.signal, onLost };
  let frames = sendChatMessage(streamOptions, body);
  let askedTurn: number | null = null;
  try {
    for (;;) {
      for await (const { frame } of frames) {
        turnScreen?.take(frame);
        if (frame.type === 'turn') askedTurn ??= frame.n;
        if (frame.type === 'error') throw createTurnError(frame.message, frame.reason);
        if (frame.type === 'done') return frame.state;
      }
      if (stop.signal.aborted) {
        await client.stopInvestigation(sessionId);
        return 'detached';
      }
      // Frames are missing: the runner has restarted, or this reader was too slow.
      const { turns, lastFrame } = await client.investigation(sessionId);
      const turn = turns.find(({ n }) => n === askedTurn) ?? turns.at(-1);
      if (turn?.state !== 'running') return readStoredTurnEnd(sessionId, turn);
      io.err('Part of the answer is not shown here; see the dashboard for all of it.\n');
      frames = watchTurn(streamOptions, sessionId, lastFrame);
    }
  } finally {
    turnScreen?.end();
    forget();
  }
}
