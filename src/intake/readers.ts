import type { IntakeSink, NumberedFrame } from '../contract/planning/intake.ts';

interface Reader {
  sink: IntakeSink;
  /** Frames of turns before it are not for this reader. */
  turn: number;
}

/** Those who watch one conversation. */
export class Readers {
  readonly #readers = new Set<Reader>();

  get size(): number {
    return this.#readers.size;
  }

  /** Answers how to leave. */
  add(sink: IntakeSink, turn: number): () => void {
    const reader = { sink, turn };
    this.#readers.add(reader);
    return () => void this.#readers.delete(reader);
  }

  send(turn: number, frame: NumberedFrame): void {
    for (const reader of [...this.#readers]) if (reader.turn <= turn) reader.sink.frames([frame]);
  }

  /** The turn is over: those who have waited for its end have read all. */
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
