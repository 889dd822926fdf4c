import type { Clock } from '../../base/time/clock.ts';
import { toErrorMessage, SvcError } from '../../base/errors/errors.ts';
import type { Log } from '../../base/system/log/log.ts';
import {
  type RepoLayer,
  buildRemoteTenantLayer,
  toTrustedLayer,
} from '../../workflows/overlay/buildRepoLayer.ts';
import { mergeLayers } from '../../workflows/overlay/mergeLayers.ts';
import { openOverlay } from '../../workflows/overlay/openOverlay.ts';
import { readLayer } from '../../workflows/overlay/readLayer.ts';
import { type TrustCandidate, hashTrustCandidates } from '../../workflows/trust/trustCandidates.ts';
import type { RepoTrust, TenantLayer } from './jobOverlays.ts';
import type { OverlaySource } from './overlaySource.ts';

/** Wait between two looks, ms; in between the overlay that was found last is used. */
export const FETCH_EVERY_MS = 15_000;

export interface RemoteOverlayDeps {
  source: OverlaySource;
  /** Folder of the base layer, whose agents the overlay's workflows may name. */
  baseIntelligence: string;
  trust: RepoTrust;
  clock: Pick<Clock, 'now'>;
  log: Pick<Log, 'info' | 'warn'>;
  /** Default {@link FETCH_EVERY_MS}. */
  everyMs?: number;
}

interface OverlayRevision {
  revision: string;
  read: RepoLayer;
}

/** The tenant layer of a source that other people change: its newest usable state, pinned until the next look. */
export class RemoteOverlay {
  readonly #deps: RemoteOverlayDeps;
  #current: OverlayRevision | null = null;
  #problem: string | null = null;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #looking: Promise<void> | null = null;
  /** The unusable state, so that it is reported once. */
  #refused: string | null = null;

  constructor(deps: RemoteOverlayDeps) {
    this.#deps = deps;
  }

  get #source(): OverlaySource {
    return this.#deps.source;
  }

  /** What it is trusted as. */
  get trusted(): { slug: string; path: string } {
    return { slug: this.#source.trustName, path: this.#source.address };
  }

  /** Why the newest state is not in use; null = it is, as far as known. */
  get problem(): string | null {
    return this.#problem;
  }

  /** The next use looks for the newest state, however short ago the last look was. */
  expire(): void {
    this.#lookedAt = Number.NEGATIVE_INFINITY;
  }

  /** Throws SvcError `cannot-run` while no usable state is on this disk. */
  async layer(): Promise<TenantLayer> {
    const { revision, read } = await this.#now();
    const hash = hashTrustCandidates(read.wanted);
    const isTrusted = hash !== null && (await this.#deps.trust.has(this.trusted, hash));
    const repoLayer = isTrusted ? toTrustedLayer(read) : read;
    const layer = {
      ...repoLayer.layer,
      origin: this.#source.toOrigin(revision),
      trusted: isTrusted,
    };
    return {
      layer,
      ignored: repoLayer.ignored.map((one) => ({ ...one, of: 'the team overlay' })),
      problem: this.#problem,
    };
  }

  /** What it would run, for the person who decides about trust. Throws the same. */
  async listWanted(): Promise<{ commit: string; wanted: readonly TrustCandidate[] }> {
    const { revision, read } = await this.#now();
    return { commit: revision, wanted: read.wanted };
  }

  async #now(): Promise<OverlayRevision> {
    const { clock, everyMs = FETCH_EVERY_MS } = this.#deps;
    if (this.#looking === null && clock.now() - this.#lookedAt >= everyMs) {
      // Before it begins: what expires meanwhile is looked for again.
      this.#lookedAt = clock.now();
      this.#looking = this.#look().finally(() => {
        if (this.#lookedAt !== Number.NEGATIVE_INFINITY) this.#lookedAt = clock.now();
        this.#looking = null;
      });
    }
    await this.#looking;
    if (this.#current) return this.#current;
    throw new SvcError(
      'cannot-run',
      `The team overlay ${this.#source.address} (tenant.overlay) is not on this machine yet: ${this.#problem} svc tries again with the next job; until then no job can run.`,
    );
  }

  async #look(): Promise<void> {
    try {
      const revision = await this.#source.fetch();
      if (revision !== this.#current?.revision) await this.#take(revision);
      else this.#problem = null;
    } catch (error) {
      this.#say(`it could not be fetched: ${toErrorMessage(error)}`);
    }
    if (this.#current === null) await this.#restoreLastGood();
  }

  async #take(revision: string): Promise<void> {
    const { address } = this.#source;
    try {
      const read = await this.#read(revision);
      await this.#check(read);
      await this.#source.keep(revision);
      this.#current = { revision, read };
      this.#problem = null;
      this.#deps.log.info({ overlay: address, revision }, 'the team overlay has changed');
    } catch (error) {
      this.#problem = `${this.#source.describe(revision)} cannot be used: ${toErrorMessage(error)}`;
      if (this.#refused !== revision)
        this.#deps.log.warn({ overlay: address, revision, problem: this.#problem }, LAST_GOOD);
      this.#refused = revision;
    }
  }

  /** After a start: restores what an earlier run used. */
  async #restoreLastGood(): Promise<void> {
    const revision = await this.#source.good();
    if (revision === null) return;
    try {
      this.#current = { revision, read: await this.#read(revision) };
    } catch (error) {
      this.#say(
        `its last good ${this.#source.describe(revision)} cannot be read: ${toErrorMessage(error)}`,
      );
    }
  }

  #say(problem: string): void {
    if (problem !== this.#problem)
      this.#deps.log.warn({ overlay: this.#source.address, problem }, LAST_GOOD);
    this.#problem = problem;
  }

  async #read(revision: string): Promise<RepoLayer> {
    return buildRemoteTenantLayer(
      await this.#source.read(revision),
      this.#source.toOrigin(revision),
    );
  }

  /** Checks for mistakes that trust does not affect. Throws `workflow-invalid`. */
  async #check(read: RepoLayer): Promise<void> {
    const { layer } = toTrustedLayer(read);
    const overlay = openOverlay(
      mergeLayers([await readLayer('base', this.#deps.baseIntelligence), layer]),
    );
    const errors = overlay
      .workflows()
      .diagnostics.filter(({ severity, file }) => severity === 'error' && layer.files.has(file));
    if (errors.length === 0) return;
    const [first] = errors;
    throw new SvcError(
      'workflow-invalid',
      `${errors.length} errors, the first one: ${first?.file}:${first?.line}:${first?.column} ${first?.message}`,
    );
  }
}

const LAST_GOOD = 'the team overlay stays at its last good state';
