import { SvcError } from '../../base/errors/errors.ts';
import type { MayAct } from '../../base/concurrency/mayAct.ts';
import { KeyedQueue } from '../../base/concurrency/keyedQueue.ts';
import type {
  Forge,
  ForgeChange,
  ForgeOperation,
  ForgeOperations,
  ForgeRepo,
  NewsBatch,
  PrAddress,
} from '../../contract/forge/forge.ts';
import { PrCreation } from './prCreation.ts';
import type { LocalForgeWrites, Operation } from './writes.ts';
import { toLocalComment, LOCAL_FORGE, toLocalPrStatus, type WebUrl } from './describe.ts';
import { checkMergeability, readLocalDiff } from './inspectLocalPr.ts';
import { openKnownRepo, findShownDefaultBranch, type RepoSettings } from './knownRepos.ts';
import { mergeLocalPr } from './mergeLocalPr.ts';
import { RepoWatch } from './repoWatch.ts';
import { setPrOpen } from './setPrOpen.ts';
import type { RowSource } from '../../contract/forge/builtInForge.ts';
import { readPrRow, type ReviewRow } from './rows.ts';
import { toOneReviewPart } from '../rest/reviewing.ts';
import { resolveLocalThread, reviewLocalPr, listLocalThreads } from './reviewLocalPr.ts';
import { examineRepository } from '../../git/examineRepository.ts';
import { findBranch } from '../../git/openRepository.ts';
import { createDiskContents } from '../../git/contents/createDiskContents.ts';
import { createDiskWorkRefs } from '../../git/work/createDiskWorkRefs.ts';
import { UnreadParts } from '../rest/unreadParts.ts';
import { NO_CHECKS } from '../rest/summarizeChecks.ts';
import { approveLocalPr, postLocalComment, replyToLocalComment } from './commentsAndApprovals.ts';
import type { PrPart } from '../../contract/schema/forge/prDetail.ts';

/** Git's answer about a pull request; null for a failure, which is noted. */
async function readFromGit<T>(parts: UnreadParts, read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    parts.note(['mergeability'], error);
    return null;
  }
}

/** Notes rows that the store could not read; `all`: the number of rows. */
function noteBroken(
  parts: UnreadParts,
  of: readonly PrPart[],
  readableParts: readonly unknown[],
  all: number,
): void {
  const brokenCount = all - readableParts.length;
  if (brokenCount === 0) return;
  const why = `${brokenCount} of ${all} rows in state.db cannot be read`;
  parts.note(of, new SvcError('broken-row', why));
}

export interface LocalForgeOptions {
  repos: RepoSettings;
  rows: RowSource;
  webUrl: WebUrl;
  /** Asked right before each operation: a repository on this disk may be one that others share. */
  mayAct: MayAct;
}

/**
 * The forge for any git repository on this disk, bare or checked out. Branches and merges are the
 * repository's; pull requests, comments and approvals are rows. An operation changes the repository
 * first and returns the rows; repeated after a crash in between (same operationId), it finds what
 * was done and returns the same. Operations on one repository run one after another.
 */
export function createLocalForge({ repos, rows, webUrl, mayAct }: LocalForgeOptions): Forge {
  const creation = new PrCreation();
  const watch = new RepoWatch();
  const operations: { [K in ForgeOperation]: Operation<ForgeOperations[K]> } = {
    create_repo: async () => {
      throw new SvcError(
        'bad-argument',
        'The local forge cannot create repositories: run `git init --bare <folder>` and add it to forges.local.repos of config.json.',
      );
    },
    create_pr: creation.run,
    post_pr_comment: postLocalComment,
    reply_to_comment: replyToLocalComment,
    approve_pr: async (service, args, actor) => {
      const { head } = readPrRow(rows, args.repo, args.number);
      return approveLocalPr(
        service,
        args,
        actor,
        (await findBranch(service.repo.repository, head)) ?? null,
      );
    },
    merge_pr: async (service, args, actor) => {
      watch.expectMerge(args);
      try {
        return await mergeLocalPr(service, args, actor);
      } catch (error) {
        watch.forgetMerge(args);
        throw error;
      }
    },
    review_pr: reviewLocalPr,
  };
  const serviceFor = (slug: string): LocalForgeWrites => ({
    repo: openKnownRepo(repos, slug),
    rows,
    webUrl,
  });
  const turns = new KeyedQueue();

  const onDisk = (slug: string): ForgeRepo => {
    const settings = repos[slug];
    return {
      slug,
      path: settings?.path ?? '',
      defaultBranch: settings ? findShownDefaultBranch(settings) : '',
    };
  };
  /** Unreadable rows are noted and left out. */
  const readComments = (repo: string, number: number, parts = new UnreadParts()) => {
    const comments = rows.all('forge_comments', { repo, number }, { order: 'at' });
    noteBroken(
      parts,
      ['comments', 'threads'],
      comments,
      rows.count('forge_comments', { repo, number }),
    );
    return comments;
  };
  const approvalsIn = (reviews: readonly ReviewRow[]) =>
    reviews.filter(({ verdict }) => verdict === 'approved');

  return {
    id: LOCAL_FORGE,
    capabilities: {
      remote: false,
      createRepo: false,
      decisions: ['approve', 'request_changes'],
    },
    self: async () => null,
    serves: (slug) => Object.hasOwn(repos, slug),
    canonical: (slug) => (Object.hasOwn(repos, slug) ? slug : null),
    slugs: () => Object.keys(repos),
    repos: async () => Object.keys(repos).map(onDisk),
    async source(slug) {
      const { repository, defaultBranch } = openKnownRepo(repos, slug);
      return { slug, path: repository.path, defaultBranch };
    },
    async repositoryProblem(slug) {
      const settings = Object.hasOwn(repos, slug) ? repos[slug] : undefined;
      if (settings === undefined) return null;
      const problem = await examineRepository(settings.path, settings.defaultBranch);
      return problem && `${problem.problem} ${problem.fix}`;
    },
    workRefs: createDiskWorkRefs({
      mayAct,
      use: (slug, act) => turns.run(slug, async () => act(openKnownRepo(repos, slug).repository)),
    }),
    contents: createDiskContents((slug) => openKnownRepo(repos, slug).repository),
    async news(prs) {
      const seenPrs: PrAddress[] = [];
      const unseen: NonNullable<NewsBatch['unseen']> = [];
      for (const slug of new Set(prs.map(({ repo }) => repo))) {
        const some = prs.filter(({ repo }) => repo === slug);
        const batch = await turns.run(slug, () => watch.lookAtPrs(() => serviceFor(slug), some));
        seenPrs.push(...batch.seen);
        unseen.push(...batch.unseen);
      }
      return { news: [], seen: seenPrs, unseen, confirmStored: () => {}, problem: null };
    },

    async pullRequests(repo) {
      openKnownRepo(repos, repo);
      const reviews = approvalsIn(rows.all('forge_reviews', { repo }, { order: 'at' }));
      return rows.all('forge_prs', { repo }, { order: 'number', desc: true }).map((row) =>
        toLocalPrStatus(row, webUrl, {
          reviews: reviews.filter(({ number }) => number === row.number),
          comments: rows.count('forge_comments', { repo, number: row.number }),
          mergeable: null,
        }),
      );
    },

    async pullRequest(repo, number) {
      const service = serviceFor(repo);
      const row = readPrRow(rows, repo, number);
      const parts = new UnreadParts();
      const { mergeable = null, ...refusal } =
        (await readFromGit(parts, () => checkMergeability(service, row))) ?? {};
      const comments = readComments(repo, number, parts);
      const thread = comments.map(toLocalComment);
      const decisions = rows.all('forge_reviews', { repo, number }, { order: 'at' });
      noteBroken(parts, ['reviews'], decisions, rows.count('forge_reviews', { repo, number }));
      const reviews = approvalsIn(decisions);
      const headCommit =
        (await readFromGit(parts, () => findBranch(service.repo.repository, row.head))) ?? '';
      const headApprovals = reviews
        .filter((one) => one.commit_hash === headCommit)
        .map(({ author }) => author);
      return {
        ...toLocalPrStatus(row, webUrl, { reviews, comments: thread.length, mergeable }),
        ...refusal,
        headCommit,
        headApprovals,
        changesRequested: decisions
          .filter(({ verdict }) => verdict === 'changes_requested')
          .map(({ author }) => author),
        checksState: NO_CHECKS,
        requiredChecks: NO_CHECKS,
        thread,
        checks: [],
        reviewThreads: listLocalThreads(comments, headCommit),
        mergeState:
          mergeable === null ? null : { word: mergeable ? 'clean' : 'dirty', clean: mergeable },
        ...parts.toDetail(),
      };
    },

    async comments(repo, number) {
      openKnownRepo(repos, repo);
      readPrRow(rows, repo, number);
      return readComments(repo, number).map(toLocalComment);
    },

    diff: async (repo, number) => readLocalDiff(serviceFor(repo), readPrRow(rows, repo, number)),

    async resync(at) {
      const changes: ForgeChange[] = [];
      const open = rows.all('forge_prs', { state: 'open' });
      for (const slug of new Set(open.map(({ repo }) => repo))) {
        changes.push(
          ...(await turns
            .run(slug, () => watch.collectMerges(serviceFor(slug), at))
            .catch((error: unknown) => {
              // A repository that cannot be read now must not keep the others from being looked at;
              // using it reports why.
              if (error instanceof SvcError) return [];
              throw error;
            })),
        );
      }
      return changes;
    },

    reviewParts: toOneReviewPart,
    resolveThread: async (thread, actor) => {
      await mayAct();
      return resolveLocalThread(serviceFor(thread.repo), thread, actor);
    },

    setOpen: async (change, actor) =>
      turns.run(change.repo, async () => {
        await mayAct();
        return setPrOpen(serviceFor(change.repo), change, actor);
      }),

    async write(operation, args, actor) {
      const service = serviceFor(args.repo);
      return turns.run(service.repo.slug, async () => {
        await mayAct();
        return operations[operation](service, args, actor);
      });
    },
  };
}
