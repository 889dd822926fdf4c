import type { VisitKey } from '../../contract/session/sessionRef.ts';
import type {
  RepoServers,
  ResolvedServers,
  ServerSource,
} from '../../workflows/toolServers/serverSource.ts';
import { applyLayerChanges, type LayerChanges } from '../../workflows/overlay/applyLayerChanges.ts';
import type { Layer } from '../../workflows/overlay/layer.ts';
import {
  type IgnoredFile,
  buildRepoLayer,
  type RepoLayer,
  toTrustedLayer,
} from '../../workflows/overlay/buildRepoLayer.ts';
import {
  groupLeftOutItems,
  describeLeftOutItem,
} from '../../workflows/overlay/toLeftOutFindings.ts';
import { mergeLayers, type Overlay } from '../../workflows/overlay/mergeLayers.ts';
import {
  type OpenOverlay,
  openOverlay,
  type OverlayContext,
} from '../../workflows/overlay/openOverlay.ts';
import { readLayer } from '../../workflows/overlay/readLayer.ts';
import { type TrustCandidate, hashTrustCandidates } from '../../workflows/trust/trustCandidates.ts';
import type { Settings } from '../../contract/schema/runner/settings.ts';
import type { Forges, JobRepo } from '../../providers/forges.ts';
import type { PhaseExecutors } from '../../workflows/definition/workflowContext.ts';
import { createUnknownToolExplainer } from '../../executors/tools/catalogue/toolAllowlist.ts';
import { readRepoFiles } from './readRepoFiles.ts';
import { createUnknownProviderExplainer } from '../../executors/tools/catalogue/createUnknownProviderExplainer.ts';

/** What an overlay is made of, before trust is checked. */
export interface LayerSources {
  base: Layer;
  /** The team's folder; null = no such layer. */
  tenant: Layer | null;
  /** The team's remote repository, or its overlay at the control plane; null = no such layer. */
  remote: TenantLayer | null;
  repo: { slug: string; path: string; read: RepoLayer } | null;
}

export interface ResolvedOverlay {
  files: Overlay;
  /** As an object to query. */
  overlay: OpenOverlay;
  /** The merged layers, base first. */
  layers: readonly Layer[];
  /** Files of the repository that were left out because they could be executed. */
  ignored: readonly IgnoredFile[];
  /**
   * Why the tenant layer is not the newest state of its repository; null = it is. Left out = it has
   * no repository.
   */
  tenantProblem?: string | null;
  /** Tool servers besides the runner's own, as currently declared. */
  mcp: ResolvedServers;
  /** What it was made of; left out if no job is prepared with it. */
  sources?: LayerSources;
}

interface OverlaySettings extends Pick<Settings, 'baseIntelligence' | 'tenant' | 'llm'> {
  invariants?: Settings['invariants'];
}

export interface RepoTrust {
  /** `hash` covers everything in the repository that could be executed. */
  has(repo: { slug: string; path: string }, hash: string): Promise<boolean>;
  /** Names of variables that its tool servers may get; default: none. */
  listAllowedEnv?(repo: { slug: string; path: string }, hash: string): Promise<readonly string[]>;
}

/** A tenant layer that is not a folder on this machine. */
export interface TenantLayer {
  layer: Layer;
  /** Files that were left out because they could be executed. */
  ignored: readonly IgnoredFile[];
  /** Why it is not the newest state; null = it is. */
  problem: string | null;
}

export interface OverlaySources {
  forges: Forges;
  trust: RepoTrust;
  /**
   * The tenant layer if it is a remote git repository or the overlay of a team; throws SvcError `cannot-run` while it is not
   * on this disk. Default: none.
   */
  tenantLayer?: (() => Promise<TenantLayer>) | undefined;
  /** Reads the team's folder before or after a change of several files; default: as it is. */
  readTenant?<T>(read: () => Promise<T>): Promise<T>;
  servers: Pick<ServerSource, 'resolve'>;
  /**
   * What a phase may name as its provider now, as `listPhaseProviders` says; left out = not
   * checked.
   */
  providers?(): readonly string[];
  /** Why an agent cannot run this way; see {@link PhaseExecutors}. Default: not checked. */
  lacks?: PhaseExecutors['lacks'];
  /** What the linter knows about this machine when an author asks; default: nothing. */
  here?(): Pick<OverlayContext, 'interactive' | 'lacksProgram'> & {
    /** Ids of the configured or installed forges and trackers. */
    providers: readonly string[];
  };
}

/** Who asks for an overlay. An author also gets findings about this home and its machine. */
export interface OverlayUse {
  forAuthor?: boolean;
  /** Changes to assume, without writing them. Default: none. */
  changes?: LayerChanges;
}

/** Later ones take precedence. */
const SERVER_FILES = ['.mcp.json', '.svc/.mcp.json', '.svc/mcp.json'];

/**
 * Resolves base, tenant and repo layer from their current sources. The repo layer is read from the
 * base branch's commit in the forge's repository or its existing mirror, never from a checkout that
 * an agent can change. Files of it that could be executed are used only if a person has trusted
 * exactly them.
 */
export const resolveOverlay = async (
  settings: OverlaySettings,
  sources: OverlaySources,
  jobRepo: JobRepo | null,
  use: OverlayUse = {},
): Promise<ResolvedOverlay> =>
  buildOverlay(settings, sources, await readSources(settings, sources, jobRepo), use);

async function readSources(
  settings: OverlaySettings,
  { forges, tenantLayer, readTenant = (read) => read() }: OverlaySources,
  jobRepo: JobRepo | null,
): Promise<LayerSources> {
  const { overlay } = settings.tenant;
  const base = await readLayer('base', settings.baseIntelligence);
  const tenant =
    overlay.kind === 'localDir' ? await readTenant(() => readLayer('tenant', overlay.path)) : null;
  const isRemote = overlay.kind === 'gitRemote' || overlay.kind === 'cloudBlob';
  const remote = isRemote ? ((await tenantLayer?.()) ?? null) : null;
  const forge = jobRepo && forges.findFor(jobRepo);
  const source = forge && (await forge.source(jobRepo.slug, { fresh: false }));
  if (!source) return { base, tenant, remote, repo: null };
  const { slug, path, defaultBranch } = source;
  const { commit, ...tree } = await readRepoFiles(path, defaultBranch);
  return {
    base,
    tenant,
    remote,
    repo: { slug, path, read: buildRepoLayer(tree, `${slug}@${commit}`) },
  };
}

/**
 * Builds the overlay of layers that were read before. Trust is checked now: withdrawn trust also
 * counts for kept layers.
 */
export const buildOverlay = async (
  settings: OverlaySettings,
  sources: OverlaySources,
  from: LayerSources,
  { forAuthor = false, changes }: OverlayUse = {},
): Promise<ResolvedOverlay> => {
  const { forges, trust, servers, providers, lacks } = sources;
  const { base, tenant, remote, repo } = from;
  let ignoredFiles: readonly IgnoredFile[] = remote?.ignored ?? [];
  let declaredServers: RepoServers[] = [];
  let untrustedServers: RepoServers[] = [];
  let layers: Layer[] = [base, ...(tenant ? [tenant] : []), ...(remote ? [remote.layer] : [])];
  if (repo) {
    const { read } = repo;
    const hash = hashTrustCandidates(read.wanted);
    const isTrusted = hash !== null && (await trust.has(repo, hash));
    const repoLayer = isTrusted ? toTrustedLayer(read) : read;
    layers.push(repoLayer.layer);
    ignoredFiles = [...ignoredFiles, ...repoLayer.ignored];
    const allowedEnv = (isTrusted && (await trust.listAllowedEnv?.(repo, hash))) || [];
    const repoServers = listRepoServers(read.wanted).map((file) => ({
      ...file,
      repo: repo.slug,
      allowedEnv,
    }));
    if (isTrusted) declaredServers = repoServers;
    else untrustedServers = repoServers;
  }
  if (changes !== undefined) layers = applyLayerChanges(layers, changes);
  const files = mergeLayers(layers);
  const names = {
    aliases: Object.keys(settings.llm.aliases),
    ...(providers && {
      executors: { ids: providers(), llm: settings.llm, ...(lacks && { lacks }) },
    }),
    unknownTool: createUnknownToolExplainer(forges.ids()),
    invariants: [{ from: 'configuration' as const, list: settings.invariants ?? [] }],
  };
  const resolved = await servers.resolve(declaredServers);
  // An author sees an untrusted server of a repository too, and a phase that lists its tools gets
  // the reason.
  const all =
    untrustedServers.length > 0
      ? await servers.resolve([...declaredServers, ...untrustedServers])
      : resolved;
  const serverIds = [...all.servers, ...(all.unusable ?? [])].map(({ id }) => id);
  const mcp = {
    ...resolved,
    unusable: [
      ...(resolved.unusable ?? []),
      ...serverIds
        .filter(
          (id) => ![...resolved.servers, ...(resolved.unusable ?? [])].some((one) => one.id === id),
        )
        .map((id) => ({
          id,
          why: `the repository ${repo?.slug} declares it and is not trusted: run svc trust add ${repo?.slug}`,
        })),
    ],
  };
  const author = forAuthor ? { ...toOverlayContext(sources), servers: serverIds } : {};
  return {
    files,
    layers,
    ignored: ignoredFiles,
    ...(remote && { tenantProblem: remote.problem }),
    overlay: openOverlay(files, { ...names, ...author }),
    mcp,
    sources: from,
  };
};

const toOverlayContext = ({ here }: Pick<OverlaySources, 'here'>): OverlayContext => {
  if (!here) return {};
  const { providers, ...rest } = here();
  return { ...rest, unknownProvider: createUnknownProviderExplainer(providers) };
};

const listRepoServers = (candidates: readonly TrustCandidate[]): RepoServers[] =>
  SERVER_FILES.flatMap((path) => {
    const file = candidates.find((one) => one.path === path);
    return file
      ? [{ path: `${path} of the repository`, text: new TextDecoder().decode(file.bytes) }]
      : [];
  });

/** Most jobs for which reported faulty files are remembered. */
const MAX_JOBS_SAID = 10_000;

/**
 * Overlays of the running visits, so that a session reads exactly what its visit was prepared with.
 * After a restart the visit's overlay is resolved again.
 */
export class JobOverlays {
  readonly #kept = new Map<string, { visit: number; resolved: ResolvedOverlay }>();
  /** The faulty files that each job's log already names. */
  readonly #said = new Map<string, string>();

  keep({ jobId, visit }: VisitKey, resolved: ResolvedOverlay): void {
    this.#kept.set(jobId, { visit, resolved });
  }

  findKeptOverlay({ jobId, visit }: VisitKey): ResolvedOverlay | undefined {
    const cached = this.#kept.get(jobId);
    return cached?.visit === visit ? cached.resolved : undefined;
  }

  /**
   * The faulty files of the layers, as lines for the job's log: once per state of the layers, and
   * again after a restart of the runner.
   */
  takeNews(jobId: string, { files: { leftOut } }: ResolvedOverlay): string[] {
    const lines = groupLeftOutItems(leftOut).map((one) => describeLeftOutItem(one, one.layer));
    const now = lines.join('\n');
    if ((this.#said.get(jobId) ?? '') === now) return [];
    this.#said.delete(jobId);
    this.#said.set(jobId, now);
    const [oldest] = this.#said.keys();
    if (this.#said.size > MAX_JOBS_SAID && oldest !== undefined) this.#said.delete(oldest);
    return lines;
  }

  forget(jobId: string): void {
    this.#kept.delete(jobId);
  }
}
