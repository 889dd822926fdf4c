import { SvcError } from '../../base/errors/errors.ts';
import { pushBranch } from '../../git/checkout.ts';
import type { ForgeChange, ForgeOperations } from '../../contract/forge/forge.ts';
import { countCommitsBeyond, findMergeBases } from '../../git/history.ts';
import { checkBranch } from '../../git/gitNames.ts';
import { findBranch } from '../../git/openRepository.ts';
import {
  checkLocalBody,
  checkLocalTitle,
  type LocalForgeWrites,
  type Operation,
} from './writes.ts';
import { toLocalMapping } from './describe.ts';
import type { PrRow } from './rows.ts';

/**
 * Opens pull requests. Keeps those whose rows are not committed yet, so that two concurrent
 * creations get neither the same number nor two pull requests for the same branches.
 */
export class PrCreation {
  #uncommitted: PrRow[] = [];

  readonly run: Operation<ForgeOperations['create_pr']> = async (service, args, actor) => {
    const { repo, rows } = service;
    this.#uncommitted = this.#uncommitted.filter(
      (row) => !rows.one('forge_prs', { repo: row.repo, number: row.number }),
    );
    const recordedPr = rows.one('forge_prs', { operation_id: actor.operationId });
    if (recordedPr)
      return answerLocalCreation(service, recordedPr, { existing: false, store: false });

    const title = checkLocalTitle(args.title);
    const body = checkLocalBody(args.body, true);
    const base = args.base === '' ? repo.defaultBranch : args.base;
    const headCommit = await this.#bringHead(service, args, base);

    const open = { repo: repo.slug, head: args.head, base, state: 'open' as const };
    const existing = rows.one('forge_prs', open);
    if (existing) {
      const row: PrRow = { ...existing, head_commit: headCommit };
      return answerLocalCreation(service, row, {
        existing: true,
        store: existing.head_commit !== headCommit,
      });
    }
    const pending = this.#uncommitted.find(
      (row) => row.repo === open.repo && row.head === open.head && row.base === open.base,
    );
    if (pending)
      return answerLocalCreation(service, pending, {
        existing: pending.operation_id !== actor.operationId,
        store: true,
      });

    const row: PrRow = {
      ...open,
      number: this.#readNextNumber(service),
      operation_id: actor.operationId,
      title,
      body,
      author: actor.author,
      work_item: args.workItem,
      created_at: actor.at,
      merged_at: null,
      merge_commit: null,
      merged_by: null,
      merge_operation_id: null,
      head_commit: headCommit,
    };
    this.#uncommitted.push(row);
    return answerLocalCreation(service, row, { existing: false, store: true });
  };

  /**
   * Brings the head branch into the repository and checks that it has something to review. Answers
   * its newest commit.
   */
  async #bringHead(
    { repo }: LocalForgeWrites,
    { head, checkoutDir }: ForgeOperations['create_pr'],
    base: string,
  ): Promise<string> {
    const baseCommit = await findBranch(repo.repository, base, 'base');
    if (baseCommit === undefined)
      throw new SvcError('bad-argument', `base ${base} is not a branch of ${repo.slug}.`);
    checkBranch(head, 'head');
    if (head === base) {
      throw new SvcError(
        'conflict',
        `head and base are both ${base}: commit to a separate branch (\`git switch -c <name>\`).`,
      );
    }
    // Only merges move the default branch; as a head, it is compared as the forge has it.
    if (checkoutDir !== '' && head !== repo.defaultBranch) {
      await pushBranch({ checkoutDir, repoPath: repo.repository.path, branch: head });
    }
    const headCommit = await findBranch(repo.repository, head, 'head');
    if (headCommit === undefined)
      throw new SvcError('bad-argument', `head ${head} is not a branch of ${repo.slug}.`);
    if ((await countCommitsBeyond(repo.repository, baseCommit, headCommit)) === 0) {
      throw new SvcError(
        'conflict',
        `${head} has no commit that ${base} does not have: commit your work to ${head} first.`,
      );
    }
    if ((await findMergeBases(repo.repository, baseCommit, headCommit)).length === 0) {
      throw new SvcError(
        'conflict',
        `${head} and ${base} have no common commit: start the branch at ${base}.`,
      );
    }
    return headCommit;
  }

  #readNextNumber({ repo, rows }: LocalForgeWrites): number {
    const newest = rows.all(
      'forge_prs',
      { repo: repo.slug },
      { order: 'number', desc: true, limit: 1 },
    )[0];
    const reservedNumbers = this.#uncommitted
      .filter((row) => row.repo === repo.slug)
      .map(({ number }) => number);
    return Math.max(newest?.number ?? 0, ...reservedNumbers) + 1;
  }
}

const answerLocalCreation = (
  service: LocalForgeWrites,
  row: PrRow,
  { existing, store }: { existing: boolean; store: boolean },
): ForgeChange => {
  const pr = toLocalMapping(row, service.webUrl);
  const { prId, number, url, state, head, base } = pr;
  return {
    pr,
    result: { prId, number, url, state, head, base, existing },
    rows: store ? [{ op: 'put', table: 'forge_prs', row }] : [],
    events: [],
  };
};
