import type { ServerResponse } from 'node:http';
import { SLOW_READER_BYTES } from '../../../base/limits/intakeLimits.ts';
import type { Clock } from '../../../base/time/clock.ts';
import type { Intake, NumberedFrame } from '../../../contract/planning/intake.ts';
import { HEARTBEAT_MS, RETRY_MS } from './jobStream.ts';
import type { OpenStream, OpenStreams } from './openStreams.ts';

/** Between the last frame and the end of a connection whose reader does not take it, ms. */
const LINGER_MS = 5_000;

interface IntakeStreamOptions {
  intake: Pick<Intake, 'watch'>;
  clock: Clock;
  streams: OpenStreams;
  sessionId: string;
  from: { after: string | null; turn: number | null };
  res: ServerResponse;
}

/** JSON has no raw line breaks, so a frame is always one line of data. */
const formatIntakeEvent = ({ id, frame }: NumberedFrame): string =>
  `${id === null ? '' : `id: ${id}\n`}data: ${JSON.stringify(frame)}\n\n`;

/**
 * Sends the frames of a plan-mode chat to one reader as server-sent events, until its turn is over.
 * It only watches: a reader that leaves, or that is cut because it reads too slowly, changes
 * nothing for the turn and comes back with `Last-Event-ID`.
 */
export class IntakeStream implements OpenStream {
  readonly #options: IntakeStreamOptions;
  #leave: () => void = () => undefined;
  #cancelHeartbeat: () => void = () => undefined;
  #cancelDeadline: () => void = () => undefined;
  #over = false;
  #catchingUp = true;

  constructor(options: IntakeStreamOptions) {
    this.#options = options;
  }

  /** Head must have been set on the response. */
  start(): void {
    const { intake, sessionId, from, res, streams } = this.#options;
    res.on('close', () => {
      this.#stop();
      this.#cancelDeadline();
      streams.remove(this);
    });
    res.flushHeaders();
    res.write(`retry: ${RETRY_MS}\n\n`);
    this.#beat();
    streams.add(this);
    if (this.#over) return;
    const leave = intake.watch(sessionId, from, {
      frames: (frames) => this.#send(frames),
      end: () => this.end(),
    });
    this.#catchingUp = false;
    // What was kept may have come during the call, and may have been everything.
    if (this.#over) leave();
    else this.#leave = leave;
  }

  end(): void {
    if (this.#over) return;
    this.#stop();
    const { clock, res } = this.#options;
    res.end();
    this.#cancelDeadline = clock.at(clock.now() + LINGER_MS, () => res.destroy());
  }

  #send(frames: readonly NumberedFrame[]): void {
    if (this.#over) return;
    const { res } = this.#options;
    res.write(frames.map(formatIntakeEvent).join(''));
    // Frames that were kept come all at once: no reader takes them that fast.
    if (!this.#catchingUp && res.writableLength > SLOW_READER_BYTES) this.end();
  }

  #beat(): void {
    const { clock, res } = this.#options;
    this.#cancelHeartbeat = clock.at(clock.now() + HEARTBEAT_MS, () => {
      res.write(': still here\n\n');
      this.#beat();
    });
  }

  #stop(): void {
    this.#over = true;
    this.#cancelHeartbeat();
    this.#leave();
    this.#leave = () => undefined;
  }
}
