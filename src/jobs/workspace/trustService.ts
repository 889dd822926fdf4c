import { isOwnVariable, listVariableNames } from '../../base/settings/ownVariables.ts';
import { toErrorMessage, SvcError } from '../../base/errors/errors.ts';
import { sha256 } from '../../base/system/ids/ids.ts';
import { buildRepoLayer } from '../../workflows/overlay/buildRepoLayer.ts';
import { type TrustCandidate, hashTrustCandidates } from '../../workflows/trust/trustCandidates.ts';
import type { TrustBody, TrustView, WantedFile } from '../../contract/schema/workflow/trust.ts';
import type { TrustedRepo, TrustFile } from '../../workflows/trust/trustFile.ts';
import { listWhatRuns } from '../../workflows/trust/listWhatRuns.ts';
import { readRepoFiles } from './readRepoFiles.ts';

interface KnownRepo {
  slug: string;
  path: string;
  defaultBranch: string;
  /** What it would run; default: read from the default branch of the repository at `path`. */
  read?(): Promise<{ commit: string; wanted: readonly TrustCandidate[] }>;
}

export interface TrustServiceOptions {
  file: TrustFile;
  repos(): Promise<readonly KnownRepo[]>;
  /** Epoch ms. */
  now(): number;
}

/** Shows what repositories would run, and records what a person has allowed. */
export class TrustService {
  readonly #options: TrustServiceOptions;

  constructor(options: TrustServiceOptions) {
    this.#options = options;
  }

  /**
   * Whether a person has trusted exactly this. Throws SvcError `config-invalid` for a damaged file.
   */
  has(repo: Pick<KnownRepo, 'slug' | 'path'>, hash: string): Promise<boolean> {
    return this.#options.file.has(repo, hash);
  }

  /** Names of variables that a person has allowed with exactly this. */
  listAllowedEnv(repo: Pick<KnownRepo, 'slug' | 'path'>, hash: string): Promise<readonly string[]> {
    return this.#options.file.listAllowedEnv(repo, hash);
  }

  /** Configured repositories, and trusted ones that are no longer configured. */
  async list(): Promise<TrustView[]> {
    const trustedRepos = await this.#options.file.read();
    const repos = await this.#options.repos();
    const views = await Promise.all(repos.map((repo) => this.#view(repo, trustedRepos)));
    const goneRepos = trustedRepos.filter(({ repo }) => !repos.some(({ slug }) => slug === repo));
    return [
      ...views,
      ...goneRepos.map(
        ({ repo, origin, trustedAt }): TrustView => ({
          repo,
          path: origin,
          commit: null,
          state: 'gone',
          hash: null,
          trustedAt,
          problem: null,
          wants: [],
          env: [],
        }),
      ),
    ].sort((a, b) => (a.repo < b.repo ? -1 : 1));
  }

  /**
   * Trusts a repository as the person has seen it. Throws SvcError `not-found`, `conflict` if it
   * has changed since, `not-possible-now` if nothing needs trust, and `bad-argument` for a variable
   * of svc.
   */
  async add({ repo: slug, hash, env = [] }: TrustBody): Promise<TrustView> {
    const own = env.filter(isOwnVariable);
    if (own.length > 0)
      throw new SvcError(
        'bad-argument',
        `${own.join(', ')} cannot be allowed: svc uses it itself and never passes it to a tool server.`,
      );
    const repo = (await this.#options.repos()).find((one) => one.slug === slug);
    if (!repo)
      throw new SvcError(
        'not-found',
        `The repository ${slug} is not configured; add it to forges.local.repos of config.json.`,
      );
    const view = await this.#view(repo, []);
    if (view.problem !== null)
      throw new SvcError('invalid', `The repository ${slug} cannot be trusted: ${view.problem}`);
    if (view.hash === null) {
      throw new SvcError(
        'not-possible-now',
        `The repository ${slug} contains nothing that could run, so there is nothing to trust.`,
      );
    }
    if (view.hash !== hash) {
      throw new SvcError(
        'conflict',
        `The repository ${slug} has changed since you reviewed it. Review it again, then trust it.`,
      );
    }
    const trustedAt = new Date(this.#options.now()).toISOString();
    const files = view.wants.map((file) => ({ path: file.path, sha256: file.sha256 }));
    const trustedRepo: TrustedRepo = { repo: slug, origin: repo.path, hash, trustedAt, files };
    let entry = trustedRepo;
    await this.#options.file.change((now) => {
      const same = now.find(
        (one) => one.repo === slug && one.origin === repo.path && one.hash === hash,
      );
      const names = [...new Set([...(same?.env ?? []), ...env])].sort();
      entry = names.length === 0 ? trustedRepo : { ...trustedRepo, env: names };
      return [...now.filter((one) => one.repo !== slug), entry];
    });
    return this.#view(repo, [entry]);
  }

  /** Throws SvcError `not-found` if it was not trusted. */
  async remove(slug: string): Promise<void> {
    await this.#options.file.change((now) => {
      const rest = now.filter(({ repo }) => repo !== slug);
      if (rest.length === now.length)
        throw new SvcError('not-found', `The repository ${slug} is not trusted.`);
      return rest;
    });
  }

  async #view(repo: KnownRepo, trustedRepos: readonly TrustedRepo[]): Promise<TrustView> {
    const { slug, path } = repo;
    const before = trustedRepos.find(({ repo }) => repo === slug);
    const view = { repo: slug, path, trustedAt: before?.trustedAt ?? null };
    let commit: string;
    let trustCandidates: readonly TrustCandidate[];
    try {
      ({ commit, wanted: trustCandidates } = await (repo.read?.() ?? readRepo(repo)));
    } catch (error) {
      return {
        ...view,
        commit: null,
        state: 'unreadable',
        hash: null,
        problem: toErrorMessage(error),
        wants: [],
        env: [],
      };
    }
    const hash = hashTrustCandidates(trustCandidates);
    const same = before?.origin === path && before.hash === hash;
    const state = hash === null ? 'nothing' : same ? 'trusted' : before ? 'changed' : 'untrusted';
    return {
      ...view,
      commit,
      state,
      hash,
      problem: null,
      env: same ? (before.env ?? []) : [],
      wants: trustCandidates.map((one) => toWantedFile(one, before)),
    };
  }
}

async function readRepo({
  slug,
  path,
  defaultBranch,
}: KnownRepo): Promise<{ commit: string; wanted: readonly TrustCandidate[] }> {
  const { commit, ...tree } = await readRepoFiles(path, defaultBranch);
  return { commit, wanted: buildRepoLayer(tree, slug).wanted };
}

function toWantedFile(trustCandidate: TrustCandidate, before: TrustedRepo | undefined): WantedFile {
  const { path, reason, bytes } = trustCandidate;
  const hash = sha256(bytes);
  const earlierFile = before?.files.find((file) => file.path === path);
  const since =
    before === undefined
      ? null
      : earlierFile === undefined
        ? 'new'
        : earlierFile.sha256 === hash
          ? 'same'
          : 'changed';
  const variables = path.endsWith('mcp.json')
    ? listVariableNames(new TextDecoder().decode(bytes))
    : [];
  return { path, reason, sha256: hash, runs: listWhatRuns(trustCandidate), variables, since };
}
