import { isRemote, type RemoteForge } from '../../contract/forge/remoteForge.ts';
import type { Clock } from '../../base/time/clock.ts';
import { type FieldError, SvcError } from '../../base/errors/errors.ts';
import { raceDeadline } from '../../base/time/waiting.ts';
import { type Forges, type JobRepo, readJobRepo } from '../../providers/forges.ts';

/** How long a repository that exists on its forge is not checked again, ms. */
export const KNOWN_MS = 5 * 60_000;
/**
 * How long a usable repository on this disk is not checked again, ms: many jobs may be created at
 * once.
 */
export const USABLE_MS = 2_000;
/** Longest wait for a forge, ms: the request that creates a job waits for the answer. */
export const REPOSITORY_MS = 5_000;
/**
 * How long a forge that did not answer is not asked again, ms: many jobs may be created in an
 * outage.
 */
export const SILENT_MS = 30_000;
const MAX_KNOWN = 1_000;

interface KnownRepositoriesDeps {
  forges: Forges;
  clock: Clock;
}

type RepositoryAnswer = 'there' | 'missing' | 'unknown';

/**
 * Checks whether remote forges have the repositories of new jobs. Answers are kept for some
 * minutes, however many jobs are created. A missing one is not remembered, so that a job can be
 * created as soon as it exists.
 */
export class KnownRepositories {
  readonly #deps: KnownRepositoriesDeps;
  /** Until when a repository counts as existing, epoch ms. */
  readonly #known = new Map<string, number>();
  /** Until when a forge is not asked, epoch ms. */
  readonly #silent = new Map<string, number>();
  readonly #asked = new Map<string, Promise<RepositoryAnswer>>();
  /** Until when a repository on this disk counts as usable, epoch ms. */
  readonly #usable = new Map<string, number>();
  readonly #examined = new Map<string, Promise<string | null>>();

  constructor(deps: KnownRepositoriesDeps) {
    this.#deps = deps;
  }

  /** Mistakes about the repository of a job; empty = none, or its forge cannot answer now. */
  async errors(params: Readonly<Record<string, unknown>>): Promise<FieldError[]> {
    const repo = readJobRepo(params);
    if (repo === null) return [];
    const { forges } = this.#deps;
    const isHere = forges.findFor(repo)?.repositoryProblem !== undefined;
    const unusable = isHere ? await this.problem(params) : null;
    if (unusable !== null)
      return [{ pointer: '/params/repoSlug', message: `names ${repo.slug}. ${unusable}` }];
    if (!(await this.isMissing(repo))) return [];
    const forge = forges.findFor(repo)?.id ?? '';
    const others = forges.all().filter((one) => one.id !== forge && one.serves(repo.slug));
    const orElse =
      repo.provider === null && others.length > 0
        ? `; or name its forge in gitProvider (${others.map(({ id }) => id).join(', ')})`
        : '';
    const message = `names ${repo.slug}, but ${forge} has no such repository, or svc's account there may not see it: correct the name, create it, or give the account access${orElse}`;
    return [{ pointer: '/params/repoSlug', message }];
  }

  /**
   * Why a repository on this disk cannot be used, and what to do; null = it can, or it is
   * elsewhere.
   */
  async problem(params: Readonly<Record<string, unknown>>): Promise<string | null> {
    const repo = readJobRepo(params);
    const forge = repo === null ? null : this.#deps.forges.findFor(repo);
    if (repo === null || !forge?.repositoryProblem) return null;
    const key = `${forge.id} ${repo.slug}`;
    const { clock } = this.#deps;
    if ((this.#usable.get(key) ?? 0) > clock.now()) return null;
    const repositoryProblem = this.#examined.get(key) ?? forge.repositoryProblem(repo.slug);
    this.#examined.set(key, repositoryProblem);
    try {
      const problem = await repositoryProblem;
      if (problem === null) this.#usable.set(key, clock.now() + USABLE_MS);
      return problem;
    } finally {
      if (this.#examined.get(key) === repositoryProblem) this.#examined.delete(key);
    }
  }

  /** Whether its forge says that a repository does not exist. Never rejects. */
  async isMissing(repo: JobRepo): Promise<boolean> {
    const forge = this.#deps.forges.findFor(repo);
    if (forge === null || !isRemote(forge)) return false;
    const key = `${forge.id} ${forge.canonical(repo.slug) ?? repo.slug}`;
    const now = this.#deps.clock.now();
    if ((this.#known.get(key) ?? 0) > now || (this.#silent.get(forge.id) ?? 0) > now) return false;
    const answer = this.#asked.get(key) ?? this.#ask(forge, key, repo.slug);
    this.#asked.set(key, answer);
    try {
      return (await answer) === 'missing';
    } finally {
      if (this.#asked.get(key) === answer) this.#asked.delete(key);
    }
  }

  async #ask(forge: RemoteForge, key: string, slug: string): Promise<RepositoryAnswer> {
    const { clock } = this.#deps;
    const answer = await raceDeadline(
      clock,
      REPOSITORY_MS,
      askForgeForRepository(forge, slug),
      () => 'silent' as const,
    );
    if (answer === 'there') this.#remember(key, clock.now() + KNOWN_MS);
    if (answer === 'silent') this.#silent.set(forge.id, clock.now() + SILENT_MS);
    return answer === 'silent' ? 'unknown' : answer;
  }

  #remember(key: string, until: number): void {
    // Removes the oldest entry first.
    this.#known.delete(key);
    this.#known.set(key, until);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MAX_KNOWN && oldest !== undefined) this.#known.delete(oldest);
  }
}

/** Asks a forge about one repository; `silent` = it may answer for none at present. */
async function askForgeForRepository(
  forge: RemoteForge,
  slug: string,
): Promise<RepositoryAnswer | 'silent'> {
  try {
    await forge.checkRepository(slug);
    return 'there';
  } catch (error) {
    if (!(error instanceof SvcError)) return 'unknown';
    if (error.code === 'not-found') return 'missing';
    return error.code === 'forbidden' ? 'unknown' : 'silent';
  }
}
