import type { CommitNotice } from '../../../kernel/contract.ts';
import type { FrameRow } from '../../../kernel/writer.ts';
import type { FrameSink } from '../../../contract/runner/runner.ts';

/** Most frames read from the store at a time for a slow reader. */
const PAGE = 500;

export interface StreamSource {
  frames(jobId: string, after: number, limit: number): FrameRow[];
  hasEnded(jobId: string): boolean;
}

interface Reader {
  jobId: string;
  sent: number;
  live: boolean;
  sink: FrameSink;
}

/**
 * Sends the frames of jobs to their readers: first the stored ones, then those of each commit,
 * without a gap.
 */
export class Streams {
  readonly #source: StreamSource;
  readonly #readers = new Map<string, Set<Reader>>();

  constructor(source: StreamSource) {
    this.#source = source;
  }

  /** Readers get frames only after the commit that made them durable. */
  onCommit(notice: CommitNotice): void {
    if (this.#readers.size === 0) return;
    const byJob = new Map<string, FrameRow[]>();
    for (const frame of notice.frames) {
      if (!this.#readers.has(frame.actor)) continue;
      const frames = byJob.get(frame.actor);
      if (frames) frames.push(frame);
      else byJob.set(frame.actor, [frame]);
    }
    for (const [jobId, frames] of byJob) {
      for (const reader of this.#readers.get(jobId) ?? []) this.#deliver(reader, frames);
    }
    for (const { id } of notice.steps) {
      if (this.#readers.has(id) && this.#source.hasEnded(id)) this.#sayBye(id);
    }
  }

  subscribe(jobId: string, after: number, sink: FrameSink): () => void {
    const reader: Reader = { jobId, sent: after, live: false, sink };
    const readers = this.#readers.get(jobId) ?? new Set();
    readers.add(reader);
    this.#readers.set(jobId, readers);
    this.#catchUp(reader);
    return () => this.#drop(reader);
  }

  /** Tells every reader that the runner stops. */
  close(): void {
    for (const readers of this.#readers.values())
      for (const reader of readers) reader.sink.bye('stopping');
    this.#readers.clear();
  }

  #catchUp(reader: Reader): void {
    if (!this.#readers.get(reader.jobId)?.has(reader)) return;
    const page = this.#source.frames(reader.jobId, reader.sent, PAGE);
    const last = page.at(-1);
    if (last) {
      reader.sent = last.n;
      reader.sink.frames(page);
    }
    if (page.length === PAGE) {
      // Each page gets its own turn, so that a long history does not hold up everything else.
      setImmediate(() => this.#catchUp(reader));
      return;
    }
    reader.live = true;
    if (this.#source.hasEnded(reader.jobId)) this.#finish(reader);
  }

  #deliver(reader: Reader, frames: readonly FrameRow[]): void {
    if (!reader.live) return;
    const fresh = frames.filter((frame) => frame.n > reader.sent);
    const last = fresh.at(-1);
    if (!last) return;
    reader.sent = last.n;
    reader.sink.frames(fresh);
  }

  #sayBye(jobId: string): void {
    for (const reader of this.#readers.get(jobId) ?? []) if (reader.live) this.#finish(reader);
  }

  #finish(reader: Reader): void {
    this.#drop(reader);
    reader.sink.bye('ended');
  }

  #drop(reader: Reader): void {
    const readers = this.#readers.get(reader.jobId);
    readers?.delete(reader);
    if (readers?.size === 0) this.#readers.delete(reader.jobId);
  }
}
