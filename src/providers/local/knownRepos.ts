import { SvcError } from '../../base/errors/errors.ts';
import { openRepository, readHeadBranch, type Repository } from '../../git/openRepository.ts';
import { readDefaultBranch } from '../../git/readCommitTree.ts';

/** Configured repositories by slug; a null branch means that of HEAD. */
export type RepoSettings = Readonly<Record<string, { path: string; defaultBranch: string | null }>>;

export interface KnownRepo {
  slug: string;
  repository: Repository;
  defaultBranch: string;
}

/**
 * Opens a configured repository. Throws `not-found` for an unknown slug, `config-invalid` when its
 * path is not a repository.
 */
export function openKnownRepo(repos: RepoSettings, slug: string): KnownRepo {
  const settings = Object.hasOwn(repos, slug) ? repos[slug] : undefined;
  if (!settings) {
    const knownSlugs = Object.keys(repos);
    throw new SvcError(
      'not-found',
      `The local forge has no repository ${JSON.stringify(slug)}. It has ${knownSlugs.length > 0 ? knownSlugs.join(', ') : 'none'}; add one to forges.local.repos of config.json.`,
      { data: { known: knownSlugs } },
    );
  }
  return {
    slug,
    repository: openRepository(settings.path),
    defaultBranch: settings.defaultBranch ?? readDefaultBranch(settings.path),
  };
}

/** Empty for a repository that cannot be read, so that a list can still be shown. */
export function findShownDefaultBranch(settings: RepoSettings[string]): string {
  if (settings.defaultBranch !== null) return settings.defaultBranch;
  try {
    return readHeadBranch(openRepository(settings.path)) ?? '';
  } catch (error) {
    if (error instanceof SvcError) return '';
    throw error;
  }
}
