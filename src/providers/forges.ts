import { toFilledStringOrNull } from '../base/json/untrusted.ts';
import { SvcError } from '../base/errors/errors.ts';
import type { Forge } from '../contract/forge/forge.ts';

export interface JobRepo {
  slug: string;
  provider: string | null;
}

/** Null for a job without a repository. */
export const readJobRepo = ({
  repoSlug,
  gitProvider,
}: Readonly<Record<string, unknown>>): JobRepo | null => {
  const slug = toFilledStringOrNull(repoSlug);
  return slug === null ? null : { slug, provider: toFilledStringOrNull(gitProvider) };
};

/**
 * The configured forges, in the order in which they are asked for a repository: the local one
 * first.
 */
export interface Forges {
  all(): readonly Forge[];
  ids(): string[];
  get(id: string): Forge | undefined;
  /**
   * The forge of a repository: the named provider, else the first that could have it; null = none.
   * Without a repository the named provider, else the first forge.
   */
  findFor(repo: JobRepo | { slug: null; provider: string | null }): Forge | null;
}

/** `more` is called at each use, since a plugin may be installed meanwhile. */
export function createForges(
  forges: readonly Forge[],
  more: () => readonly Forge[] = () => [],
): Forges {
  const all = () => forges.concat(more());
  const get = (id: string) => all().find((forge) => forge.id === id);
  return {
    all,
    ids: () => all().map(({ id }) => id),
    get,
    findFor({ slug, provider }) {
      if (provider !== null) return get(provider) ?? null;
      if (slug === null) return all()[0] ?? null;
      return all().find((forge) => forge.serves(slug)) ?? null;
    },
  };
}

/** Throws SvcError `not-found` that lists the configured forges. */
export function resolveForge(forges: Forges, repo: JobRepo): Forge {
  const forge = forges.findFor(repo);
  if (forge) return forge;
  const { slug, provider } = repo;
  throw new SvcError(
    'not-found',
    provider === null
      ? `No configured forge has a repository ${slug}; add it to forges.local.repos of config.json, or configure the forge that has it.`
      : `Unknown forge ${provider}. Configured: ${forges.ids().join(', ')}.`,
  );
}

/** Null where no forge is configured for the job. */
export const findJobForge = (
  forges: Forges,
  params: Readonly<Record<string, unknown>>,
): Forge | null =>
  forges.findFor(
    readJobRepo(params) ?? { slug: null, provider: toFilledStringOrNull(params.gitProvider) },
  );
