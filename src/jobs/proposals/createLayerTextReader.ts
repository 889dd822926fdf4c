import { SvcError } from '../../base/errors/errors.ts';
import { readCommitFile } from '../../git/readCommitFile.ts';
import { findBranch, openRepository } from '../../git/openRepository.ts';
import { type Forges, resolveForge } from '../../providers/forges.ts';
import type { Settings } from '../../contract/schema/runner/settings.ts';
import { MAX_LAYER_FILE_BYTES } from '../../workflows/overlay/layer.ts';
import { readPlainTextAt } from './applyPlan.ts';
import type { ProposalRow } from './proposalRows.ts';

export interface LayerTextsDeps {
  settings: Pick<Settings, 'tenant'>;
  forges: Forges;
  /** Texts of a team layer that is not a folder on this machine. */
  remoteTenant(path: string): Promise<string | null>;
}

export type ProposalPlace = Pick<ProposalRow, 'layer' | 'repo' | 'provider'>;

export type LayerTexts = (place: ProposalPlace, path: string) => Promise<string | null>;

/**
 * Reads single files of layers. Files of a repository are read from the newest local commit of its
 * default branch, trusted or not: they are compared, not used.
 */
export const createLayerTextReader =
  ({ settings, forges, remoteTenant }: LayerTextsDeps): LayerTexts =>
  async ({ layer, repo, provider }, path) => {
    const { overlay } = settings.tenant;
    if (layer === 'tenant') {
      if (overlay.kind === 'localDir') return readPlainTextAt(overlay.path, path);
      return overlay.kind === 'none' ? null : remoteTenant(path);
    }
    if (repo === null)
      throw new SvcError('internal', 'a proposal to a repository does not name one');
    const source = await resolveForge(forges, { slug: repo, provider }).source(repo, {
      fresh: false,
    });
    if (!source) throw new SvcError('not-found', `Repository ${repo} is not on this machine yet.`);
    const repository = openRepository(source.path);
    const commit = await findBranch(repository, source.defaultBranch);
    if (commit === undefined) return null;
    const bytes = await readCommitFile(repository, {
      commit,
      path,
      maxBytes: MAX_LAYER_FILE_BYTES,
    });
    if (bytes === 'too-long')
      throw new SvcError('too-large', `${path} in ${repo} is too long to be proposed for.`);
    return bytes === null ? null : bytes.toString('utf8');
  };
