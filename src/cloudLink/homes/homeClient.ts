import type { Static, TSchema } from 'typebox';
import { Check } from 'typebox/value';
import { SvcError } from '../../base/errors/errors.ts';
import {
  CheckpointParts,
  ClaimedHome,
  type CheckpointBody,
  type ClaimBody,
  type CreateHomeBody,
  type DivergedBody,
  HeldBlobs,
  HomeState,
  MAX_BLOB_BYTES,
  MAX_ENTRIES,
  PART_SHA_HEADER,
  type ReleaseBody,
  type ReseedBody,
} from '../../contract/schema/cloud/home.ts';
import type { LogEntry } from '../../kernel/sqlite/log/homeLog.ts';
import { readEntries } from './readEntries.ts';
import {
  type Patience,
  readPieces,
  type RunnerRequest,
  type RunnerRequests,
} from './runnerRequests.ts';

const isCode = (error: unknown, code: SvcError['code']): boolean =>
  error instanceof SvcError && error.code === code;

/**
 * What a runner reads and writes of its own home at the control plane. Each call is tried until there is an answer, or
 * its patience ends, and throws as `RunnerRequests.send`.
 */
export class HomeClient {
  readonly #requests: RunnerRequests;

  constructor(requests: RunnerRequests) {
    this.#requests = requests;
  }

  /** null = the control plane has no log of the home. */
  async readState(patience: Patience): Promise<HomeState | null> {
    try {
      return await this.#ask(HomeState, { method: 'GET', path: '/runner/home' }, patience);
    } catch (error) {
      if (isCode(error, 'not-found')) return null;
      throw error;
    }
  }

  create(body: CreateHomeBody, patience: Patience): Promise<HomeState> {
    return this.#ask(HomeState, { method: 'POST', path: '/runner/home', body }, patience);
  }

  /** Throws SvcError `home-claimed` or `lease-running`. */
  claim(body: ClaimBody, patience: Patience): Promise<Static<typeof ClaimedHome>> {
    return this.#ask(ClaimedHome, { method: 'POST', path: '/runner/home/claim', body }, patience);
  }

  release(body: ReleaseBody, patience: Patience): Promise<HomeState> {
    return this.#ask(HomeState, { method: 'POST', path: '/runner/home/release', body }, patience);
  }

  reseed(body: ReseedBody, patience: Patience): Promise<HomeState> {
    return this.#ask(HomeState, { method: 'POST', path: '/runner/home/reseed', body }, patience);
  }

  /** That the state of this machine does not fit the log. */
  async noteDiverged(body: DivergedBody, patience: Patience): Promise<void> {
    await this.#finish({ method: 'POST', path: '/runner/home/diverged', body }, patience);
  }

  /** Deletes the log. One that does not exist is no error. */
  async leave(patience: Patience): Promise<void> {
    try {
      await this.#finish({ method: 'DELETE', path: '/runner/home' }, patience);
    } catch (error) {
      if (!isCode(error, 'not-found')) throw error;
    }
  }

  /**
   * Entries after `after`, in order, as many as one reply has. Throws SvcError `not-found` where they are no longer
   * kept.
   */
  async *readEntries(after: number, patience: Patience): AsyncGenerator<LogEntry> {
    const path = `/runner/home/entries?after=${after}&limit=${MAX_ENTRIES}`;
    const answer = await this.#requests.send({ method: 'GET', path }, patience);
    yield* readEntries(readPieces(answer, this.#requests.clock));
  }

  /** SHA-256 of the parts that were uploaded, by number. */
  async listParts(n: number, patience: Patience): Promise<Map<number, string>> {
    const path = `/runner/home/checkpoints/${n}/parts`;
    const { parts } = await this.#ask(CheckpointParts, { method: 'GET', path }, patience);
    return new Map(parts.map(({ part, sha256 }) => [part, sha256]));
  }

  async putPart(
    n: number,
    part: number,
    { bytes, sha256 }: { bytes: Uint8Array; sha256: string },
    patience: Patience,
  ): Promise<void> {
    const path = `/runner/home/checkpoints/${n}/parts/${part}`;
    const headers = { [PART_SHA_HEADER]: sha256 };
    await this.#finish({ method: 'PUT', path, headers, body: bytes }, patience);
  }

  async completeCheckpoint(n: number, body: CheckpointBody, patience: Patience): Promise<void> {
    await this.#finish({ method: 'POST', path: `/runner/home/checkpoints/${n}`, body }, patience);
  }

  /** The bytes of a checkpoint from `from` on. */
  async *readCheckpoint(n: number, from: number, patience: Patience): AsyncGenerator<Uint8Array> {
    const headers = from === 0 ? {} : { Range: `bytes=${from}-` };
    const path = `/runner/home/checkpoints/${n}`;
    const answer = await this.#requests.send({ method: 'GET', path, headers }, patience);
    if (from > 0 && answer.status !== 206)
      throw new SvcError('internal', 'The control plane does not continue a checkpoint.');
    yield* readPieces(answer, this.#requests.clock);
  }

  async hasBlob(sha256: string, patience: Patience): Promise<boolean> {
    try {
      await this.#finish({ method: 'HEAD', path: `/runner/blobs/${sha256}` }, patience);
      return true;
    } catch (error) {
      if (isCode(error, 'not-found')) return false;
      throw error;
    }
  }

  /** `range`: which bytes of how many these are, as in Content-Range; null = all of them. */
  async putBlob(
    sha256: string,
    bytes: Uint8Array,
    range: string | null,
    patience: Patience,
  ): Promise<void> {
    const headers = range === null ? {} : { 'Content-Range': range };
    const path = `/runner/blobs/${sha256}`;
    await this.#finish({ method: 'PUT', path, headers, body: bytes }, patience);
  }

  /** Names of artefacts that have been there for a day, in order, from the one after `after` on; a page of them. */
  async listBlobs(after: string | null, patience: Patience): Promise<string[]> {
    const path = after === null ? '/runner/blobs' : `/runner/blobs?after=${after}`;
    const { blobs } = await this.#ask(HeldBlobs, { method: 'GET', path }, patience);
    return blobs;
  }

  /** One that the control plane does not have is no error. */
  async deleteBlob(sha256: string, patience: Patience): Promise<void> {
    await this.#finish({ method: 'DELETE', path: `/runner/blobs/${sha256}` }, patience);
  }

  /** Throws SvcError `not-found` where the control plane does not have it, and `too-large`. */
  async *readBlob(sha256: string, patience: Patience): AsyncGenerator<Uint8Array> {
    const path = `/runner/blobs/${sha256}`;
    const answer = await this.#requests.send({ method: 'GET', path }, patience);
    let bytes = 0;
    for await (const piece of readPieces(answer, this.#requests.clock)) {
      bytes += piece.length;
      if (bytes > MAX_BLOB_BYTES)
        throw new SvcError('too-large', `An artefact has more than ${MAX_BLOB_BYTES} bytes.`);
      yield piece;
    }
  }

  async #finish(request: RunnerRequest, patience: Patience): Promise<void> {
    const answer = await this.#requests.send(request, patience);
    await answer.body?.cancel();
  }

  async #ask<Shape extends TSchema>(
    shape: Shape,
    request: RunnerRequest,
    patience: Patience,
  ): Promise<Static<Shape>> {
    const reply = await this.#requests.ask(request, patience);
    if (!Check(shape, reply))
      throw new SvcError(
        'internal',
        `The control plane's reply to ${request.method} ${request.path} is not valid. Is it of a newer version?`,
      );
    return reply;
  }
}
