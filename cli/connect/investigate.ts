import type { Client } from '../../src/client/client.ts';
import { converse } from '../../src/client/intakeFrames.ts';
import { BlockSplitter, type Piece } from '../../src/domain/hiddenBlocks.ts';
import { SvcError } from '../../src/lib/errors.ts';
import type { IntakeBody } from '../../src/schema/intake.ts';
import type { IntakeFrame } from '../../src/schema/intakeFrames.ts';
import type { Io } from '../io.ts';
import { lookupLine } from '../render/planText.ts';
import { printable, printableLine } from '../render/printable.ts';

/** How a turn ended: `detached` = the person left, and it was stopped. */
export type TurnEnd = 'done' | 'interrupted' | 'detached';

interface Turn {
  client: Client;
  body: IntakeBody;
  io: Io;
  /** Receives the visible answer as it comes; default: no one reads it. */
  show: ((text: string) => void) | null;
}

/** Shows frames to a person: the answer on one side, what happens beside it on the other. */
class Shown {
  readonly #io: Io;
  readonly #show: (text: string) => void;
  #splitter = new BlockSplitter();
  #thinking = false;

  constructor(io: Io, show: (text: string) => void) {
    this.#io = io;
    this.#show = show;
  }

  take(frame: IntakeFrame): void {
    if (frame.type === 'token') this.#say(this.#splitter.push(frame.text));
    else if (frame.type === 'thinking') this.#think();
    else if (frame.type === 'tool_end') this.#io.err(`${lookupLine(frame, this.#io.color)}\n`);
    else if (frame.type === 'note') this.#io.err(`${printableLine(frame.text)}\n`);
    else if (frame.type === 'again') this.#again();
  }

  /** The answer is over. */
  end(): void {
    this.#say(this.#splitter.end());
    this.#show('\n');
  }

  #say(pieces: readonly Piece[]): void {
    for (const piece of pieces) if (piece.kind === 'text') this.#show(printable(piece.text));
  }

  /** Said once a turn: thoughts are many. */
  #think(): void {
    if (this.#thinking) return;
    this.#thinking = true;
    this.#io.err(`${this.#io.color.dim('thinking …')}\n`);
  }

  #again(): void {
    this.#splitter = new BlockSplitter();
    this.#io.err('The answer broke off and comes again.\n');
  }
}

/**
 * Says something in a plan-mode chat and shows the answer while it comes. Ctrl-C stops the turn.
 * Throws what `converse` throws, and SvcError for a turn that failed, with its reason.
 */
export async function investigate({ client, body, io, show }: Turn): Promise<TurnEnd> {
  const stop = new AbortController();
  const forget = io.onInterrupt(() => stop.abort());
  const shown = show === null ? null : new Shown(io, show);
  const onLost = () => io.err('The connection to the runner was lost; trying again …\n');
  try {
    for await (const { frame } of converse({ client, signal: stop.signal, onLost }, body)) {
      shown?.take(frame);
      if (frame.type === 'error') {
        shown?.end();
        throw new SvcError(frame.reason === 'quota' ? 'rate-limited' : 'undecided', frame.message);
      }
      if (frame.type === 'done') {
        shown?.end();
        return frame.state;
      }
    }
    if (!stop.signal.aborted) return 'done';
    await client.stopInvestigation(body.sessionId);
    shown?.end();
    return 'detached';
  } finally {
    forget();
  }
}
