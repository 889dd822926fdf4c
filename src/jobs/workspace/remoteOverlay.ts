import { join } from 'node:path';
import type { Clock } from '../../base/time/clock.ts';
import { toErrorMessage, SvcError } from '../../base/errors/errors.ts';
import { sha256 } from '../../base/system/ids/ids.ts';
import type { Log } from '../../base/system/log/log.ts';
import {
  type RepoLayer,
  buildRemoteTenantLayer,
  toTrustedLayer,
} from '../../workflows/overlay/buildRepoLayer.ts';
import { isSkippedPath } from '../../workflows/overlay/layerCollector.ts';
import { mergeLayers } from '../../workflows/overlay/mergeLayers.ts';
import { openOverlay } from '../../workflows/overlay/openOverlay.ts';
import { readLayer } from '../../workflows/overlay/readLayer.ts';
import { type TrustCandidate, hashTrustCandidates } from '../../workflows/trust/trustCandidates.ts';
import type { GitRemoteOverlay, Settings } from '../../contract/schema/runner/settings.ts';
import { BranchMirror } from '../../git/branchMirror.ts';
import { readLayerTree } from '../../git/readLayerTree.ts';
import type { RepoTrust, TenantLayer } from './jobOverlays.ts';

/** Wait between two fetches, ms; in between the last fetched overlay is used. */
export const FETCH_EVERY_MS = 15_000;

/** Name under which people trust what the overlay would run. */
export const OVERLAY_TRUST_NAME = 'tenant-overlay';

export interface RemoteOverlayDeps {
  settings: GitRemoteOverlay;
  mirrorsDir: string;
  /** Folder of the base layer, whose agents the overlay's workflows may name. */
  baseIntelligence: string;
  trust: RepoTrust;
  clock: Pick<Clock, 'now'>;
  log: Pick<Log, 'info' | 'warn'>;
  sshAuthSock: string | null;
  /** Default {@link FETCH_EVERY_MS}. */
  everyMs?: number;
}

interface OverlayCommit {
  commit: string;
  read: RepoLayer;
}

/**
 * The tenant layer of a remote git repository: its newest usable commit, pinned until the next
 * fetch.
 */
export class RemoteOverlay {
  readonly #deps: RemoteOverlayDeps;
  readonly #mirror: BranchMirror;
  /** Without its query, which might be a secret. */
  readonly url: string;
  #current: OverlayCommit | null = null;
  #problem: string | null = null;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #looking: Promise<void> | null = null;
  /** The unusable commit, so that it is reported once. */
  #refused: string | null = null;

  constructor(deps: RemoteOverlayDeps) {
    const { settings, mirrorsDir, sshAuthSock } = deps;
    const { url, ref, path, username, token } = settings;
    this.#deps = deps;
    this.url = url.split(/[?#]/, 1)[0] ?? url;
    const name = sha256(JSON.stringify([url, ref, path])).slice(0, 16);
    this.#mirror = new BranchMirror(join(mirrorsDir, `${name}.git`), {
      url,
      ref,
      username,
      password: token,
      sshAuthSock,
    });
  }

  /** Why the newest state of the repository is not in use; null = it is, as far as known. */
  get problem(): string | null {
    return this.#problem;
  }

  /** Throws SvcError `cannot-run` while no usable commit is on this disk. */
  async layer(): Promise<TenantLayer> {
    const { commit, read } = await this.#now();
    const hash = hashTrustCandidates(read.wanted);
    const isTrusted =
      hash !== null &&
      (await this.#deps.trust.has({ slug: OVERLAY_TRUST_NAME, path: this.url }, hash));
    const used = isTrusted ? toTrustedLayer(read) : read;
    const layer = { ...used.layer, origin: `${this.url}@${commit}`, trusted: isTrusted };
    return {
      layer,
      ignored: used.ignored.map((one) => ({ ...one, of: 'the team overlay' })),
      problem: this.#problem,
    };
  }

  /** What it would run, for the person who decides about trust. Throws the same. */
  async wanted(): Promise<{ commit: string; wanted: readonly TrustCandidate[] }> {
    const { commit, read } = await this.#now();
    return { commit, wanted: read.wanted };
  }

  async #now(): Promise<OverlayCommit> {
    const { clock, everyMs = FETCH_EVERY_MS } = this.#deps;
    if (this.#looking === null && clock.now() - this.#lookedAt >= everyMs) {
      this.#looking = this.#look().finally(() => {
        this.#lookedAt = clock.now();
        this.#looking = null;
      });
    }
    await this.#looking;
    if (this.#current) return this.#current;
    throw new SvcError(
      'cannot-run',
      `The team overlay ${this.url} (tenant.overlay) is not on this machine yet: ${this.#problem} svc tries again with the next job; until then no job can run.`,
    );
  }

  async #look(): Promise<void> {
    try {
      const commit = await this.#mirror.fetch();
      if (commit !== this.#current?.commit) await this.#take(commit);
      else this.#problem = null;
    } catch (error) {
      this.#say(`it could not be fetched: ${toErrorMessage(error)}`);
    }
    if (this.#current === null) await this.#lastGood();
  }

  async #take(commit: string): Promise<void> {
    try {
      const read = await this.#read(commit);
      await this.#check(read);
      await this.#mirror.keep(commit);
      this.#current = { commit, read };
      this.#problem = null;
      this.#deps.log.info({ overlay: this.url, commit }, 'the team overlay is at a new commit');
    } catch (error) {
      this.#problem = `commit ${commit.slice(0, 12)} cannot be used: ${toErrorMessage(error)}`;
      if (this.#refused !== commit)
        this.#deps.log.warn({ overlay: this.url, commit, problem: this.#problem }, LAST_GOOD);
      this.#refused = commit;
    }
  }

  /** After a start: restores what an earlier run used. */
  async #lastGood(): Promise<void> {
    const commit = await this.#mirror.good();
    if (commit === null) return;
    try {
      this.#current = { commit, read: await this.#read(commit) };
    } catch (error) {
      this.#say(
        `its last good commit ${commit.slice(0, 12)} cannot be read: ${toErrorMessage(error)}`,
      );
    }
  }

  #say(problem: string): void {
    if (problem !== this.#problem) this.#deps.log.warn({ overlay: this.url, problem }, LAST_GOOD);
    this.#problem = problem;
  }

  async #read(commit: string): Promise<RepoLayer> {
    const { path } = this.#deps.settings;
    const prefix = path === null ? '' : `${path}/`;
    const { files, leftOut } = await readLayerTree(this.#mirror.dir, commit, {
      prefixes: [prefix],
      skips: isSkippedPath,
    });
    if (files.size === 0) throw new SvcError('not-found', `${path ?? 'it'} has no files.`);
    const inOverlay = {
      files: new Map([...files].map(([file, bytes]) => [file.slice(prefix.length), bytes])),
      leftOut: leftOut.map((one) => ({ ...one, path: one.path.slice(prefix.length) })),
    };
    return buildRemoteTenantLayer(inOverlay, `${this.url}@${commit}`);
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

/** The overlay of the settings; null if it is of another kind. */
export function openRemoteOverlay({
  settings,
  ...deps
}: Pick<RemoteOverlayDeps, 'trust' | 'clock' | 'log' | 'sshAuthSock' | 'everyMs'> & {
  settings: Pick<Settings, 'home' | 'tenant' | 'baseIntelligence'>;
}): RemoteOverlay | null {
  const { home, tenant, baseIntelligence } = settings;
  const mirrorsDir = join(home, 'mirrors', 'overlay');
  return tenant.overlay.kind === 'gitRemote'
    ? new RemoteOverlay({ ...deps, settings: tenant.overlay, mirrorsDir, baseIntelligence })
    : null;
}

const LAST_GOOD = 'the team overlay stays at its last good commit';
