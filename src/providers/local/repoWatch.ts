import { SvcError } from '../../lib/errors.ts';
import type { ForgeChange, NewsBatch, PrAddress } from '../../contract/forge.ts';
import { findRebased, findSquashed } from '../../git/equivalentCommits.ts';
import { findBranches, isAncestor, mergeCommitOf } from '../../git/history.ts';
import { prIdOf } from './describe.ts';
import { mergedMeanwhile, recordMerged } from './mergePr.ts';
import type { PrRow } from './rows.ts';
import type { LocalForgeWrites } from './writes.ts';

/** Where the two branches of a pull request are; undefined = it does not exist. */
interface Tips {
  base: string | undefined;
  head: string | undefined;
}

const keyOf = ({ repo, number }: PrAddress): string => `${repo}#${number}`;
const textOf = ({ base, head }: Tips): string => `${base}:${head}`;
const short = (commit: string): string => commit.slice(0, 12);

/**
 * Looks at the branches of open pull requests, again and again: what people did with git, and what
 * keeps a pull request from being merged. Where no branch has moved, it runs no git, or one for each
 * repository with branches that only git can read.
 */
export class RepoWatch {
  /** Where the branches were when nothing was found, by repository. */
  readonly #unchanged = new Map<string, string>();
  /** The newest known commit of each head: a branch is often deleted right after its merge. */
  readonly #heads = new Map<string, string>();
  /** Where a squash was looked for, and what was found. */
  readonly #squashed = new Map<string, { tips: string; commit: string | undefined }>();
  /** Merges of svc itself: their own rows are about to be committed. */
  readonly #merging = new Set<string>();

  /** Called before svc merges: the next look leaves that pull request alone. */
  expectMerge(pr: PrAddress): void {
    this.#merging.add(keyOf(pr));
  }

  /** The merge was refused: if a person merges it now, the next look reports it. */
  forgetMerge(pr: PrAddress): void {
    this.#merging.delete(keyOf(pr));
  }

  /**
   * A change for each open pull request that was merged with git: by a merge, a fast-forward, or a
   * rebase that kept its changes.
   */
  async merged(service: LocalForgeWrites, at: number): Promise<ForgeChange[]> {
    const { slug, repository } = service.repo;
    const open = service.rows.all('forge_prs', { repo: slug, state: 'open' }, { order: 'number' });
    const now = await findBranches(
      repository,
      open.flatMap((pr) => [pr.base, pr.head]),
    );
    const text = JSON.stringify(open.map((pr) => [pr.number, textOf(this.#tipsOf(now, pr))]));
    if (this.#unchanged.get(slug) === text) return [];
    const found = await mergedMeanwhile(service, at);
    const known = new Set(found.map(({ pr }) => pr?.number));
    for (const pr of open.filter(({ number }) => !known.has(number))) {
      const change = await this.#mergedByHand(service, pr, now, at);
      if (change) found.push(change);
    }
    const changes = found.filter(({ pr }) => pr === null || !this.#merging.delete(keyOf(pr)));
    if (found.length === 0) this.#unchanged.set(slug, text);
    return changes;
  }

  async #mergedByHand(
    service: LocalForgeWrites,
    pr: PrRow,
    now: ReadonlyMap<string, string>,
    at: number,
  ): Promise<ForgeChange | undefined> {
    const { repository } = service.repo;
    const { base, head } = this.#tipsOf(now, pr);
    if (base === undefined || head === undefined) return undefined;
    const actor = { author: 'unknown', at, operationId: `resync:${prIdOf(pr.repo, pr.number)}` };
    // The branch itself is gone: `mergedMeanwhile` has not seen it.
    if (!now.has(pr.head) && (await isAncestor(repository, head, base))) {
      const done = (await mergeCommitOf(repository, head, base)) ?? head;
      return recordMerged(service, pr, { base, head, done }, actor);
    }
    const done = await findRebased(repository, base, head);
    return done === undefined ? undefined : recordMerged(service, pr, { base, head, done }, actor);
  }

  /** Which of these pull requests of one repository can be merged, and why the others cannot. */
  async seen(
    service: () => LocalForgeWrites,
    prs: readonly PrAddress[],
  ): Promise<Required<Pick<NewsBatch, 'seen' | 'unseen'>>> {
    const found: Required<Pick<NewsBatch, 'seen' | 'unseen'>> = { seen: [], unseen: [] };
    try {
      const opened = service();
      const rows = prs.map((pr) => this.#openRow(opened, pr));
      const names = rows.flatMap((row) => (row === null ? [] : [row.base, row.head]));
      const now = await findBranches(opened.repo.repository, names);
      for (const [at, pr] of prs.entries()) {
        const row = rows[at] ?? null;
        const why = row === null ? null : await this.#problemOf(opened, row, now);
        if (why === null) found.seen.push(pr);
        else found.unseen.push({ ...pr, why });
      }
    } catch (error) {
      if (!(error instanceof SvcError)) throw error;
      return { seen: [], unseen: prs.map((pr) => ({ ...pr, why: error.message })) };
    }
    return found;
  }

  #openRow({ rows }: LocalForgeWrites, { repo, number }: PrAddress): PrRow | null {
    // A row that cannot be read is left out, so that the others are still looked at.
    const [row] = rows.all('forge_prs', { repo, number });
    return row?.state === 'open' ? row : null;
  }

  async #problemOf(
    { repo }: LocalForgeWrites,
    row: PrRow,
    now: ReadonlyMap<string, string>,
  ): Promise<string | null> {
    const { path } = repo.repository;
    if (!now.has(row.base)) return `its base branch ${row.base} no longer exists in ${path}`;
    if (!now.has(row.head)) return `its branch ${row.head} no longer exists in ${path}`;
    const commit = await this.#squashOf(repo.repository, row, this.#tipsOf(now, row));
    return commit === undefined
      ? null
      : `${row.base} has the same changes in commit ${short(commit)}: if it was squashed by hand, which svc cannot prove, close it`;
  }

  async #squashOf(
    repository: LocalForgeWrites['repo']['repository'],
    pr: PrRow,
    { base, head }: Tips,
  ): Promise<string | undefined> {
    if (base === undefined || head === undefined) return undefined;
    const tips = textOf({ base, head });
    const before = this.#squashed.get(keyOf(pr));
    if (before?.tips === tips) return before.commit;
    const commit = await findSquashed(repository, base, head);
    this.#squashed.set(keyOf(pr), { tips, commit });
    return commit;
  }

  /** With the head as it was last known, where its branch is gone. */
  #tipsOf(now: ReadonlyMap<string, string>, pr: PrRow): Tips {
    const key = keyOf(pr);
    const head = now.get(pr.head) ?? this.#heads.get(key) ?? pr.head_commit ?? undefined;
    if (head !== undefined) this.#heads.set(key, head);
    return { base: now.get(pr.base), head };
  }
}
