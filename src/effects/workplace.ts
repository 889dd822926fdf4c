import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { agentEnvironment } from '../executors/environment.ts';
import { SvcError } from '../lib/errors.ts';
import { materialise } from '../overlay/materialise.ts';
import type { Overlay } from '../overlay/mergeLayers.ts';
import type { Settings } from '../schema/settings.ts';
import { type Checkout, ensureCheckout } from '../scm/checkout.ts';
import type { Forge } from '../scm/forge.ts';
import { type ResolvedOverlay, resolveOverlay } from './jobOverlays.ts';

/** All that the runner does with folders and files for its jobs. Every act may be repeated after a crash. */
export interface Workplace {
  /** Where a job works: `<workingDir>/<jobId>`. */
  jobDir(jobId: string): string;
  /** Resolves base, tenant and repo layer from their sources as they are now. */
  overlay(repoSlug: string | null): Promise<ResolvedOverlay>;
  /** Makes the job's folder, with the overlay as files in `_intelligence/`. */
  furnish(jobId: string, files: Overlay): Promise<void>;
  /** Makes or finds the job's checkout. Throws SvcError `not-found` for a repository that the forge does not have. */
  checkout(jobId: string, repoSlug: string): Promise<Pick<Checkout, 'dir' | 'absDir'>>;
  /** Makes the folder of one session (0700); answers it with the whole environment of its agent. */
  session(jobId: string, visit: number, session: number): Promise<{ dir: string; env: Record<string, string> }>;
}

export interface WorkplaceOptions {
  settings: Pick<Settings, 'paths' | 'baseIntelligence' | 'tenant' | 'llm'>;
  forge: Forge;
  /** The runner's own environment, from which the agents' is built by a list. */
  hostEnv: Readonly<Record<string, string | undefined>>;
  /** Folder that holds the `svc` program for agents. */
  binDir: string;
}

/** The workplace on this disk. */
export const createWorkplace = ({ settings, forge, hostEnv, binDir }: WorkplaceOptions): Workplace => {
  const jobDir = (jobId: string): string => join(settings.paths.workingDir, jobId);
  const folder = async (path: string): Promise<string> => {
    await mkdir(path, { recursive: true, mode: 0o700 });
    return path;
  };
  return {
    jobDir,
    overlay: (repoSlug) => resolveOverlay(settings, forge, repoSlug),
    async furnish(jobId, files) {
      // The same path in every phase, so that agents can be told of it.
      await materialise(files, join(await folder(jobDir(jobId)), '_intelligence'));
    },
    async checkout(jobId, repoSlug) {
      const repo = forge.repos().find(({ slug }) => slug === repoSlug);
      if (!repo) {
        throw new SvcError(
          'not-found',
          `The local forge has no repository ${repoSlug}; add it to forges.local.repos of config.json.`,
        );
      }
      const place = { repoPath: repo.path, jobDir: await folder(jobDir(jobId)), slug: repoSlug, baseBranch: repo.defaultBranch };
      const { dir, absDir } = await ensureCheckout(place);
      return { dir, absDir };
    },
    async session(jobId, visit, session) {
      const dir = await folder(join(jobDir(jobId), '_sessions', `${visit}.${session}`));
      return { dir, env: await agentEnvironment({ hostEnv, jobDir: jobDir(jobId), binDir }) };
    },
  };
};
