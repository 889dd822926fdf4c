import { FRAMES_KEPT_BYTES, SETTLED_FRAMES_BYTES } from '../base/limits/intakeLimits.ts';
import type { NumberedFrame } from '../contract/planning/intake.ts';
import type { IntakeFrame } from '../contract/schema/planning/intakeFrames.ts';

/** Place of a frame: `<turn>.<n>`, `n` from 1 within the turn. */
export interface FramePlace {
  turn: number;
  n: number;
}

interface KeptFrame {
  place: FramePlace;
  numbered: NumberedFrame;
  bytes: number;
}

/** Approximate bytes of an object without its text. */
const OVERHEAD_BYTES = 200;

const isAfter = (one: FramePlace, other: FramePlace): boolean =>
  one.turn > other.turn || (one.turn === other.turn && one.n > other.n);

/** null if the text is not a frame id. */
export function parseFrameId(id: string): FramePlace | null {
  const [, turn, n] = /^(\d{1,9})\.(\d{1,9})$/.exec(id) ?? [];
  return turn === undefined ? null : { turn: Number(turn), n: Number(n) };
}

/** The newest frames of a conversation, for readers who reconnect. */
export class FrameRing {
  #frames: KeptFrame[] = [];
  #bytes = 0;
  #last: FramePlace = { turn: 0, n: 0 };
  /** The newest dropped frame; null = none was dropped. */
  #dropped: FramePlace | null = null;
  #firstTurn: number | null = null;

  get bytes(): number {
    return this.#bytes;
  }

  /** null = no frame is kept. */
  get lastId(): string | null {
    return this.#frames.at(-1)?.numbered.id ?? null;
  }

  begin(turn: number): void {
    this.#last = { turn, n: 0 };
    this.#firstTurn ??= turn;
  }

  add(frame: IntakeFrame): NumberedFrame {
    const place = { turn: this.#last.turn, n: this.#last.n + 1 };
    this.#last = place;
    const numberedFrame = { id: `${place.turn}.${place.n}`, frame };
    const bytes = JSON.stringify(frame).length + OVERHEAD_BYTES;
    this.#frames.push({ place, numbered: numberedFrame, bytes });
    this.#bytes += bytes;
    // Drops a quarter at once, since dropping single frames would copy the rest each time.
    if (this.#bytes > FRAMES_KEPT_BYTES) this.#dropTo(FRAMES_KEPT_BYTES * 0.75);
    return numberedFrame;
  }

  /** null = some of these frames are no longer kept, or never were. */
  listAfter(place: FramePlace): NumberedFrame[] | null {
    const first = this.#firstTurn;
    if (first === null || place.turn < first || isAfter(place, this.#last)) return null;
    if (this.#dropped !== null && isAfter(this.#dropped, place)) return null;
    return this.#frames
      .filter((keptFrame) => isAfter(keptFrame.place, place))
      .map(({ numbered }) => numbered);
  }

  /** No turn is running: stored frames are only kept for readers who are slightly behind. */
  settle(): void {
    if (this.#bytes > SETTLED_FRAMES_BYTES) this.#dropTo(SETTLED_FRAMES_BYTES);
  }

  #dropTo(bytes: number): void {
    let droppedCount = 0;
    while (this.#bytes > bytes && droppedCount < this.#frames.length - 1) {
      this.#bytes -= this.#frames[droppedCount]?.bytes ?? 0;
      droppedCount += 1;
    }
    this.#dropped = this.#frames[droppedCount - 1]?.place ?? this.#dropped;
    this.#frames = this.#frames.slice(droppedCount);
  }
}
