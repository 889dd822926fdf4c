import { Check } from 'typebox/value';
import { SvcError } from '../../base/errors/errors.ts';
import { RunnerOverlay } from '../../contract/schema/cloud/teamOverlay.ts';
import { readAll, readPieces, type RunnerRequests } from '../homes/runnerRequests.ts';
import { type OverlayStore, toRevision } from './overlayStore.ts';

/** Longest wait for a new version, ms; without it the last good one is used. */
const FETCH_MS = 30_000;
/** Files that are fetched at the same time. */
const PARALLEL = 8;
/** Largest file, bytes: that of a layer. */
const MAX_FILE_BYTES = 1024 * 1024;
/** Most files of a version: those of a layer. */
const MAX_FILES = 2_000;

/** The overlay of the team, from its control plane, as a source of the tenant layer. */
export class TeamOverlaySource {
  readonly #requests: RunnerRequests;
  readonly #store: OverlayStore;
  /** The newest version that was asked for, so that its files are not listed again. */
  #known: { version: number; revision: string } | null = null;

  constructor(requests: RunnerRequests, store: OverlayStore) {
    this.#requests = requests;
    this.#store = store;
  }

  /** Asks for the newest version, and fetches the files of it that this disk lacks. */
  async fetch(): Promise<string> {
    const signal = AbortSignal.timeout(FETCH_MS);
    const { version, files } = await this.#ask(signal);
    if (files === null) {
      if (this.#known?.version === version) return this.#known.revision;
      throw new SvcError('internal', 'The control plane leaves the files of the overlay out.');
    }
    if (files.length > MAX_FILES)
      throw new SvcError(
        'too-large',
        `The overlay has ${files.length} files, the limit is ${MAX_FILES}.`,
      );
    const missing = await this.#store.listMissing(files);
    const fetchNext = async (): Promise<void> => {
      for (let digest = missing.pop(); digest !== undefined; digest = missing.pop())
        await this.#store.addFile(digest, await this.#readFile(digest, signal));
    };
    await Promise.all(Array.from({ length: PARALLEL }, fetchNext));
    const revision = toRevision(version, files);
    await this.#store.addVersion(revision, files);
    this.#known = { version, revision };
    return revision;
  }

  async read(revision: string): Promise<{ files: Map<string, Uint8Array> }> {
    try {
      return { files: await this.#store.readVersion(revision) };
    } catch (error) {
      // What is missing is listed again.
      this.#known = null;
      throw error;
    }
  }

  keep(revision: string): Promise<void> {
    return this.#store.keepGood(revision);
  }

  good(): Promise<string | null> {
    return this.#store.readGood();
  }

  async #ask(signal: AbortSignal) {
    const knownQuery = this.#known === null ? '' : `?known=${this.#known.version}`;
    try {
      const path = `/runner/overlay${knownQuery}`;
      const reply = await this.#requests.ask({ method: 'GET', path }, this.#limitToOneTry(signal));
      if (Check(RunnerOverlay, reply)) return reply;
    } catch (error) {
      // A control plane of an earlier version has no overlays.
      if (error instanceof SvcError && error.code === 'not-found') return { version: 0, files: [] };
      throw error;
    }
    throw new SvcError('internal', "The control plane's reply about the overlay is not valid.");
  }

  async #readFile(digest: string, signal: AbortSignal): Promise<Uint8Array> {
    const path = `/runner/overlay/files/${digest}`;
    const answer = await this.#requests.send({ method: 'GET', path }, this.#limitToOneTry(signal));
    return readAll(readPieces(answer, this.#requests.clock), MAX_FILE_BYTES);
  }

  /** The next look tries again. */
  #limitToOneTry(signal: AbortSignal) {
    return { signal, until: this.#requests.clock.now() };
  }
}
