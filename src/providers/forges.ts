import { toFilledStringOrNull } from '../shared/json/untrusted.ts';
import { SvcError } from '../shared/errors/errors.ts';
import type { Forge } from '../contract/forge/forge.ts';

/** The repository of a job; `provider` null = whichever forge has it. */
export interface JobRepo {
  slug: string;
  provider: string | null;
}

/** The repository that a job's params name; null for a job without one. */
export const readJobRepo = ({
  repoSlug,
  gitProvider,
}: Readonly<Record<string, unknown>>): JobRepo | null => {
  const slug = toFilledStringOrNull(repoSlug);
  return slug === null ? null : { slug, provider: toFilledStringOrNull(gitProvider) };
};

/**
 * The forges that are configured, in the order in which they are asked whose a repository is: the
 * local one first.
 */
export interface Forges {
  all(): readonly Forge[];
  ids(): string[];
  get(id: string): Forge | undefined;
  /**
   * The forge of a repository: the named provider, else the first that could have it; null = none.
   * Without a repository the named provider, else the first.
   */
  findFor(repo: JobRepo | { slug: null; provider: string | null }): Forge | null;
}

/** `more` is asked at each use: a plugin may be installed meanwhile. */
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

/** The forge of a job's repository. Throws SvcError `not-found` that says which there are. */
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

/** The forge of the job that has these params; null where none is configured for it. */
export const findJobForge = (
  forges: Forges,
  params: Readonly<Record<string, unknown>>,
): Forge | null =>
  forges.findFor(
    readJobRepo(params) ?? { slug: null, provider: toFilledStringOrNull(params.gitProvider) },
  );
