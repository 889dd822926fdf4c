import { SvcError } from '../../base/errors/errors.ts';
import type { ForgeChange, NewsBatch, PrAddress } from '../../contract/forge/forge.ts';
import { findBranches } from '../../git/history.ts';
import { formatLocalPrId } from './describe.ts';
import { findMergeByHand, type MergeByHand } from './findMergeByHand.ts';
import { recordLocalMerge } from './mergeLocalPr.ts';
import type { PrRow } from './rows.ts';
import type { LocalForgeWrites } from './writes.ts';

/** The branches of a pull request at one look, with the result. */
interface Look {
  text: string;
  base: string;
  /** The newest commit that the branch is known to have had beyond the base. */
  known: string | undefined;
  found: MergeByHand;
}

const toWatchKey = ({ repo, number }: PrAddress): string => `${repo}#${number}`;

/**
 * Looks at the branches of open pull requests again and again, for what people did with git and
 * what prevents merges. While no branch moves, it runs no git, or one for each repository with
 * branches that only git can read.
 */
export class RepoWatch {
  /** The commits of the branches when nothing was found, by repository. */
  readonly #unchanged = new Map<string, string>();
  /** The last look at each pull request, since a branch is often deleted right after its merge. */
  readonly #looks = new Map<string, Look>();
  /** Merges by svc itself, whose own rows are about to be committed. */
  readonly #merging = new Set<string>();

  /** Called before svc merges, so that the next look skips that pull request. */
  expectMerge(pr: PrAddress): void {
    this.#merging.add(toWatchKey(pr));
  }

  /** Called when the merge was refused: the next look reports a person's merge again. */
  forgetMerge(pr: PrAddress): void {
    this.#merging.delete(toWatchKey(pr));
  }

  /**
   * A change for each open pull request that was merged with git: by a merge, a fast-forward, or
   * commits with all of its changes.
   */
  async collectMerges(service: LocalForgeWrites, at: number): Promise<ForgeChange[]> {
    const { slug, repository } = service.repo;
    const open = service.rows.all('forge_prs', { repo: slug, state: 'open' }, { order: 'number' });
    const now = await findBranches(
      repository,
      open.flatMap((pr) => [pr.base, pr.head]),
    );
    const text = JSON.stringify(open.map((pr) => [pr.number, now.get(pr.base), now.get(pr.head)]));
    if (this.#unchanged.get(slug) === text) return [];
    let isQuiet = true;
    const changes: ForgeChange[] = [];
    for (const pr of open) {
      try {
        const change = await this.#findMergeByHand(service, pr, now, at);
        if (change === undefined) continue;
        isQuiet = false;
        if (!this.#merging.delete(toWatchKey(pr))) changes.push(change);
      } catch (error) {
        // A pull request that git cannot read must not keep the others from being looked at.
        if (!(error instanceof SvcError)) throw error;
        isQuiet = false;
      }
    }
    if (isQuiet) this.#unchanged.set(slug, text);
    return changes;
  }

  async #findMergeByHand(
    service: LocalForgeWrites,
    pr: PrRow,
    now: ReadonlyMap<string, string>,
    at: number,
  ): Promise<ForgeChange | undefined> {
    const look = await this.#look(service, pr, now);
    if (look === undefined || !('done' in look.found)) return undefined;
    const { head, done } = look.found;
    const actor = {
      author: 'unknown',
      at,
      operationId: `resync:${formatLocalPrId(pr.repo, pr.number)}`,
    };
    return recordLocalMerge(service, pr, { base: look.base, head, done }, actor);
  }

  /** Looks at the branches of a pull request if they have moved; undefined without a base. */
  async #look(
    { repo: { repository } }: LocalForgeWrites,
    pr: PrRow,
    now: ReadonlyMap<string, string>,
  ): Promise<Look | undefined> {
    const [base, head] = [now.get(pr.base), now.get(pr.head)];
    if (base === undefined) return undefined;
    const key = toWatchKey(pr);
    const last = this.#looks.get(key);
    const text = `${base}:${head}`;
    if (last?.text === text) return last;
    const knownHead = last?.known ?? pr.head_commit ?? undefined;
    const tips = { base, head, known: knownHead, looked: last?.base };
    const mergeByHand = await findMergeByHand(repository, pr, tips);
    // The known commits of a reset branch are kept: they may still be merged.
    const isReset = 'problem' in mergeByHand && mergeByHand.isEmpty;
    const look = {
      text,
      base,
      known: isReset ? knownHead : (head ?? knownHead),
      found: mergeByHand,
    };
    this.#looks.set(key, look);
    return look;
  }

  /** Which of these pull requests of one repository can be merged, and why the others cannot. */
  async lookAtPrs(
    service: () => LocalForgeWrites,
    prs: readonly PrAddress[],
  ): Promise<Required<Pick<NewsBatch, 'seen' | 'unseen'>>> {
    const batch: Required<Pick<NewsBatch, 'seen' | 'unseen'>> = { seen: [], unseen: [] };
    try {
      const localForgeWrites = service();
      const rows = prs.map((pr) => this.#openRow(localForgeWrites, pr));
      const names = rows.flatMap((row) => (row === null ? [] : [row.base, row.head]));
      const now = await findBranches(localForgeWrites.repo.repository, names);
      for (const [at, pr] of prs.entries()) {
        const row = rows[at] ?? null;
        const why = row === null ? null : await this.#findProblem(localForgeWrites, row, now);
        if (why === null) batch.seen.push(pr);
        else batch.unseen.push({ ...pr, why });
      }
    } catch (error) {
      if (!(error instanceof SvcError)) throw error;
      return { seen: [], unseen: prs.map((pr) => ({ ...pr, why: error.message })) };
    }
    return batch;
  }

  #openRow({ rows }: LocalForgeWrites, { repo, number }: PrAddress): PrRow | null {
    // An unreadable row is left out, so that the others are still looked at.
    const [row] = rows.all('forge_prs', { repo, number });
    return row?.state === 'open' ? row : null;
  }

  async #findProblem(
    service: LocalForgeWrites,
    row: PrRow,
    now: ReadonlyMap<string, string>,
  ): Promise<string | null> {
    const { path } = service.repo.repository;
    if (!now.has(row.base)) return `its base branch ${row.base} no longer exists in ${path}`;
    if (!now.has(row.head)) return `its branch ${row.head} no longer exists in ${path}`;
    try {
      const look = await this.#look(service, row, now);
      return look !== undefined && 'problem' in look.found ? look.found.problem : null;
    } catch (error) {
      if (error instanceof SvcError) return error.message;
      throw error;
    }
  }
}
