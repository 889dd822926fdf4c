import type { Layer } from '../overlay/layer.ts';
import { type Ignored, layerFromTree } from '../overlay/layerFromTree.ts';
import { mergeLayers, type Overlay } from '../overlay/mergeLayers.ts';
import { type OpenOverlay, openOverlay } from '../overlay/openOverlay.ts';
import { readLayer } from '../overlay/readLayer.ts';
import type { Settings } from '../schema/settings.ts';
import type { Forge } from '../scm/forge.ts';
import { readTree } from '../scm/tree.ts';

/** Folders of a repository that may hold intelligence. */
const REPO_LAYER_PREFIXES = ['.svc/', '.claude/'];

export interface ResolvedOverlay {
  /** As files, to be written. */
  files: Overlay;
  /** As something to ask. */
  overlay: OpenOverlay;
  /** Files of the repository that were left out because they could make something run. */
  ignored: readonly Ignored[];
}

interface OverlaySettings extends Pick<Settings, 'baseIntelligence' | 'tenant' | 'llm'> {}

/**
 * Resolves base, tenant and repo layer from their sources as they are now. The repo layer is read from the base branch's
 * commit in the forge's repository, never from a checkout that an agent can change.
 */
export const resolveOverlay = async (
  settings: OverlaySettings,
  forge: Forge,
  repoSlug: string | null,
): Promise<ResolvedOverlay> => {
  let ignored: readonly Ignored[] = [];
  const layers: Layer[] = [await readLayer('base', settings.baseIntelligence)];
  if (settings.tenant.overlay.kind === 'localDir') layers.push(await readLayer('tenant', settings.tenant.overlay.path));
  const repo = repoSlug === null ? undefined : forge.repos().find(({ slug }) => slug === repoSlug);
  if (repo) {
    const { files, commit } = await readTree(repo.path, repo.defaultBranch, REPO_LAYER_PREFIXES);
    const read = layerFromTree(files, `${repo.slug}@${commit}`);
    layers.push(read.layer);
    ignored = read.ignored;
  }
  const files = mergeLayers(layers);
  return { files, ignored, overlay: openOverlay(files, { aliases: Object.keys(settings.llm.aliases) }) };
};

/** The slug of the repository that a job works on; null for a job without one. */
export const repoSlugOf = (params: Record<string, unknown>): string | null =>
  typeof params.repoSlug === 'string' ? params.repoSlug : null;

/**
 * Overlays of the visits that run now, so that a session reads exactly what its visit was prepared with. After a restart
 * the visit's overlay is resolved again.
 */
export class JobOverlays {
  readonly #kept = new Map<string, { visit: number; resolved: ResolvedOverlay }>();

  keep(jobId: string, visit: number, resolved: ResolvedOverlay): void {
    this.#kept.set(jobId, { visit, resolved });
  }

  of(jobId: string, visit: number): ResolvedOverlay | undefined {
    const kept = this.#kept.get(jobId);
    return kept?.visit === visit ? kept.resolved : undefined;
  }

  forget(jobId: string): void {
    this.#kept.delete(jobId);
  }
}
