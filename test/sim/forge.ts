import { SvcError } from '../../src/base/errors/errors.ts';
import type {
  Forge,
  ForgeActor,
  ForgeChange,
  ForgeOperation,
  ForgeOperations,
} from '../../src/contract/forge/forge.ts';
import {
  toLocalComment,
  toLocalEvent,
  LOCAL_FORGE,
  toLocalMapping,
  formatLocalPrId,
  toLocalPrStatus,
} from '../../src/providers/local/describe.ts';
import { type PrRow, readPrRow } from '../../src/providers/local/rows.ts';
import {
  approveLocalPr,
  postLocalComment,
  replyToLocalComment,
} from '../../src/providers/local/commentsAndApprovals.ts';
import type { RowReader } from '../../src/contract/records/rowReader.ts';
import type { Merge, SimulatedGit } from './git.ts';

export const REPO = 'shop';
const BASE = 'main';
const SOURCE = { slug: REPO, path: '/sim/shop', defaultBranch: BASE };

/** How a comment begins that stands for a failure of CI: the simulated forge has none. */
export const CI_FAILS = 'CI:';

const webUrl = (repo: string, number: number): string => `http://sim/${repo}/${number}`;

export interface SimulatedForgeOptions {
  git: SimulatedGit;
  rows: RowReader;
  /** A moment, in which the runner may die. */
  moment(): Promise<void>;
  /** Throws sometimes: a network, a disk. */
  trouble(): void;
  /** Of those who have commented on a pull request, whose comment passes for an approval; default: none. */
  takesForApproval?(author: string): boolean;
}

/**
 * The local forge with a repository of numbers in the place of git. Comments and approvals are the
 * product's own code; opening and merging follow it step by step, with a moment between the act and
 * its answer.
 */
export function createSimulatedForge({
  git,
  rows,
  moment,
  trouble,
  takesForApproval = () => false,
}: SimulatedForgeOptions): Forge {
  /** As in the local forge: pull requests whose rows are not committed yet. */
  let uncommitted: PrRow[] = [];

  const toOpenedChange = (
    row: PrRow,
    { existing, store }: { existing: boolean; store: boolean },
  ): ForgeChange => {
    const pr = toLocalMapping(row, webUrl);
    const { prId, number, url, state, head, base } = pr;
    return {
      pr,
      result: { prId, number, url, state, head, base, existing },
      rows: store ? [{ op: 'put', table: 'forge_prs', row }] : [],
      events: [],
    };
  };

  const create = async (
    args: ForgeOperations['create_pr'],
    actor: ForgeActor,
  ): Promise<ForgeChange> => {
    uncommitted = uncommitted.filter(
      (row) => !rows.one('forge_prs', { repo: row.repo, number: row.number }),
    );
    const recorded = rows.one('forge_prs', { operation_id: actor.operationId });
    if (recorded) return toOpenedChange(recorded, { existing: false, store: false });
    const { head } = args;
    if (head === BASE) throw new SvcError('conflict', 'head and base are the same');
    git.push(args.checkoutDir, head);
    await moment();
    if (!git.has(head))
      throw new SvcError('bad-argument', `head ${head} is not a branch of ${REPO}.`);
    if (git.beyondBase(head) === 0)
      throw new SvcError('conflict', `${head} has no commit that ${BASE} does not have`);
    const open = { repo: REPO, head, base: BASE, state: 'open' as const };
    const existing = rows.one('forge_prs', open);
    if (existing) return toOpenedChange(existing, { existing: true, store: false });
    const pending = uncommitted.find((row) => row.head === head);
    if (pending)
      return toOpenedChange(pending, {
        existing: pending.operation_id !== actor.operationId,
        store: true,
      });
    const newest = rows.all(
      'forge_prs',
      { repo: REPO },
      { order: 'number', desc: true, limit: 1 },
    )[0];
    const row: PrRow = {
      ...open,
      number: Math.max(newest?.number ?? 0, ...uncommitted.map(({ number }) => number)) + 1,
      operation_id: actor.operationId,
      title: args.title,
      body: args.body,
      author: actor.author,
      work_item: args.workItem,
      created_at: actor.at,
      merged_at: null,
      merge_commit: null,
      merged_by: null,
      merge_operation_id: null,
      head_commit: null,
    };
    uncommitted.push(row);
    return toOpenedChange(row, { existing: false, store: true });
  };

  const toMergedChange = (row: PrRow, store: boolean): ForgeChange => {
    const { prId, number, url, state, mergedAt } = toLocalMapping(row, webUrl);
    const { merge_commit: mergeCommit, merged_by: mergedBy } = row;
    const news = {
      kind: 'merged' as const,
      id: mergeCommit ?? '',
      author: mergedBy ?? row.author,
      text: '',
    };
    return {
      pr: toLocalMapping(row, webUrl),
      result: { prId, number, url, state, mergedAt, mergeCommit, mergedBy },
      rows: store ? [{ op: 'put', table: 'forge_prs', row }] : [],
      events: [toLocalEvent(row, webUrl, { ...news, at: row.merged_at ?? row.created_at })],
    };
  };

  const record = (pr: PrRow, merge: Merge, actor: ForgeActor): ForgeChange => {
    const reported = { merged_at: merge.at, merge_commit: merge.commit, merged_by: merge.author };
    return toMergedChange(
      {
        ...pr,
        ...reported,
        state: 'merged',
        merge_operation_id: merge.operationId ?? actor.operationId,
      },
      true,
    );
  };

  /** The merge that has brought all of an open pull request into the base. */
  const standing = (pr: PrRow): Merge | undefined =>
    git.beyondBase(pr.head) === 0 ? git.lastMerge(pr.head) : undefined;

  const merge = async (
    { number, head }: ForgeOperations['merge_pr'],
    actor: ForgeActor,
  ): Promise<ForgeChange> => {
    const pr = readPrRow(rows, REPO, number);
    if (pr.state !== 'open') {
      if (pr.merge_operation_id === actor.operationId) return toMergedChange(pr, false);
      throw new SvcError('conflict', `${formatLocalPrId(REPO, number)} is ${pr.state} already.`);
    }
    await moment();
    const pastMerge =
      git.merges.find(({ operationId }) => operationId === actor.operationId) ?? standing(pr);
    if (pastMerge) return record(pr, pastMerge, actor);
    if (head !== undefined && head !== git.readCommit(pr.head))
      throw new SvcError('conflict', `${formatLocalPrId(REPO, number)} has a newer commit.`);
    const { author, at, operationId } = actor;
    const now = git.merge(pr.head, { author, at, operationId });
    await moment();
    return record(pr, now, actor);
  };

  const operations: {
    [K in ForgeOperation]: (args: ForgeOperations[K], actor: ForgeActor) => Promise<ForgeChange>;
  } = {
    create_repo: async () => {
      throw new SvcError('bad-argument', 'no repository is made here');
    },
    create_pr: create,
    merge_pr: merge,
    async post_pr_comment(args, actor) {
      const change = await postLocalComment(service, args, actor);
      if (!args.body.startsWith(CI_FAILS)) return change;
      const events = change.events.map((event) => ({ ...event, kind: 'check_failed' as const }));
      return { ...change, events };
    },
    reply_to_comment: (args, actor) => replyToLocalComment(service, args, actor),
    approve_pr: (args, actor) => {
      const { head } = readPrRow(rows, REPO, args.number);
      return approveLocalPr(service, args, actor, git.readCommit(head));
    },
    review_pr: async () => {
      throw new SvcError('bad-argument', 'nothing is reviewed here');
    },
  };
  const service = {
    repo: { slug: REPO, repository: { path: '', gitDir: '' }, defaultBranch: BASE },
    rows,
    webUrl,
  };

  let tail: Promise<unknown> = Promise.resolve();
  const alone = <T>(run: () => Promise<T>): Promise<T> => {
    const result = tail.then(run);
    tail = result.catch(() => {});
    return result;
  };

  const status = (row: PrRow, mergeable: boolean | null) =>
    toLocalPrStatus(row, webUrl, {
      reviews: rows.all('forge_reviews', { repo: REPO, number: row.number }, { order: 'at' }),
      comments: rows.count('forge_comments', { repo: REPO, number: row.number }),
      mergeable,
    });

  const thread = (repo: string, number: number) =>
    rows.all('forge_comments', { repo, number }, { order: 'at' }).map(toLocalComment);

  return {
    id: LOCAL_FORGE,
    capabilities: { remote: false, createRepo: false, decisions: [] },
    reviewParts: () => [],
    self: async () => null,
    serves: (slug) => slug === REPO,
    canonical: (slug) => (slug === REPO ? slug : null),
    slugs: () => [REPO],
    repos: async () => [SOURCE],
    source: async () => SOURCE,
    news: async () => ({ news: [], confirmStored: () => {}, problem: null }),
    pullRequests: async (repo) =>
      rows
        .all('forge_prs', { repo }, { order: 'number', desc: true })
        .map((row) => status(row, null)),
    pullRequest: async (repo, number) => {
      const row = readPrRow(rows, repo, number);
      const none = { state: 'none' as const, reason: '' };
      const headCommit = git.readCommit(row.head);
      const approved = rows
        .all('forge_reviews', { repo, number }, { order: 'at' })
        .filter(({ commit_hash, verdict }) => commit_hash === headCommit && verdict === 'approved');
      const commented = thread(repo, number).filter(({ author }) => takesForApproval(author));
      return {
        ...status(row, row.state === 'open' ? true : null),
        thread: thread(repo, number),
        checks: [],
        reviewThreads: [],
        headCommit,
        headApprovals: [...approved, ...commented].map(({ author }) => author),
        changesRequested: [],
        checksState: none,
        requiredChecks: none,
        mergeState: { word: 'clean', clean: true },
      };
    },
    comments: async (repo, number) => thread(repo, number),
    diff: async () => '',
    resync: (at) =>
      alone(async () => {
        await moment();
        const open = rows.all('forge_prs', { repo: REPO, state: 'open' }, { order: 'number' });
        return open.flatMap((pr) => {
          const pastMerge = standing(pr);
          return pastMerge
            ? [
                record(pr, pastMerge, {
                  author: 'unknown',
                  at,
                  operationId: `resync:${formatLocalPrId(REPO, pr.number)}`,
                }),
              ]
            : [];
        });
      }),
    write: (operation, args, actor) =>
      alone(async () => {
        await moment();
        trouble();
        const change = await operations[operation](args, actor);
        await moment();
        // The act is done and its answer is lost.
        trouble();
        return change;
      }),
  };
}
