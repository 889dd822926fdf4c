import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type {
  Forge,
  ForgeActor,
  ForgeChange,
  ForgeOperations,
} from '../../contract/forge/forge.ts';
import type { PrMapping } from '../../contract/schema/forge/pr.ts';
import { toCheckoutDir, ensureCheckout } from '../../git/checkout.ts';
import { runGit } from '../../git/runGit.ts';
import { findBranch, openRepository } from '../../git/openRepository.ts';
import { shorten } from '../../base/text/clip.ts';
import { SvcError } from '../../base/errors/errors.ts';
import type { Caller } from '../../providers/account/caller.ts';
import { type Forges, type JobRepo, resolveForge } from '../../providers/forges.ts';
import type { RowChange } from '../../contract/records/changes.ts';
import { type ApplyPlan, readPlainTextAt } from './applyPlan.ts';
import { toProposalRepo } from './toProposalRepo.ts';
import type { ProposalRow } from './proposalRows.ts';

export interface PullRequestDeps {
  forges: Forges;
  checkouts: string;
  /** Writes to a forge, at most once per operation id. */
  writeForge(
    forge: Forge,
    operation: 'create_pr',
    args: ForgeOperations['create_pr'],
    actor: ForgeActor,
    caller: Caller,
  ): Promise<ForgeChange>;
}

/** The pull request that brings a proposal to a repository. */
export interface ProposedPullRequest {
  /** Of the proposal. */
  id: string;
  repo: JobRepo;
  /** The branch that it is made of. */
  head: string;
  /** The branch that is merged into; empty = the default branch. */
  base: string;
  title: string;
  body: string;
  /** Whose budget of requests it uses. */
  jobId: string;
}

interface PullRequestOpening {
  /** Epoch ms of the commit. */
  at: number;
  effectId: string;
  signal: AbortSignal;
  /** Makes the plan from the texts of the base branch. */
  plan(present: (path: string) => Promise<string | null>): Promise<ApplyPlan>;
}

/** Longest title of a pull request, characters. */
const MAX_TITLE = 72;

export const toProposalBranch = (id: string): string => `svc/proposal-${id}`;

const formatProposalPrBody = ({ id, description, job_id: jobId }: ProposalRow): string =>
  [
    description.trim(),
    `Proposal \`${id}\`${jobId === null ? '' : ` of the job \`${jobId}\``}, approved in svc.`,
  ].join('\n\n');

async function commitApplyPlan(
  checkout: string,
  { head, title, body }: ProposedPullRequest,
  plan: ApplyPlan,
  at: number,
) {
  const git = (...args: string[]) =>
    runGit(args, {
      cwd: checkout,
      env: {
        GIT_AUTHOR_DATE: `@${Math.floor(at / 1000)} +0000`,
        GIT_COMMITTER_DATE: `@${Math.floor(at / 1000)} +0000`,
      },
    });
  await git('switch', '--quiet', '--create', head);
  for (const { path, after } of plan) {
    const full = join(checkout, path);
    if (after === null) await rm(full, { force: true });
    else {
      await mkdir(dirname(full), { recursive: true });
      await writeFile(full, after);
    }
  }
  const paths = plan.map(({ path }) => path);
  await git('add', '--force', '--all', '--', ...paths.map((path) => `:(literal)${path}`));
  await git('commit', '--quiet', '--no-verify', '-m', `${title}\n\n${body}`);
}

export const formatProposalPrTitle = ({ description }: Pick<ProposalRow, 'description'>): string =>
  shorten(description.trim().split('\n', 1)[0] ?? '', MAX_TITLE);

/** The pull request of a proposal for a repository of jobs. */
export function toProposedPullRequest(row: ProposalRow): ProposedPullRequest {
  const repo = toProposalRepo(row);
  if (repo === null) throw new Error(`the proposal ${row.id} has no repository`);
  return {
    id: row.id,
    repo,
    head: toProposalBranch(row.id),
    base: '',
    title: formatProposalPrTitle(row),
    body: formatProposalPrBody(row),
    jobId: row.job_id ?? row.id,
  };
}

/**
 * Opens the pull request of a proposal to a repository, on its own branch. A repeat after a crash
 * finds the branch and the pull request. Nothing is pushed to the base branch. Throws SvcError
 * `conflict` where the base branch has all of it already.
 */
export async function openProposalPullRequest(
  { forges, checkouts, writeForge }: PullRequestDeps,
  pullRequest: ProposedPullRequest,
  { at, effectId, signal, plan }: PullRequestOpening,
): Promise<{ pr: PrMapping; rows: RowChange[] }> {
  const { id, repo, head, base, title, body, jobId } = pullRequest;
  const forge = resolveForge(forges, repo);
  const source = await forge.source(repo.slug, { fresh: true });
  if (!source) throw new Error(`a forge did not clone ${repo.slug}`);
  const baseBranch = base || source.defaultBranch;
  const folder = join(checkouts, id);
  const isThere = (await findBranch(openRepository(source.path), head)) !== undefined;
  try {
    if (!isThere) {
      await rm(folder, { recursive: true, force: true });
      const { absDir } = await ensureCheckout({
        repoPath: source.path,
        jobDir: folder,
        slug: source.slug,
        baseBranch,
      });
      const files = await plan((path) => readPlainTextAt(absDir, path));
      if (files.every(({ before, after }) => before === after))
        throw new SvcError('conflict', `${baseBranch} of ${repo.slug} has all of this already.`);
      await commitApplyPlan(absDir, pullRequest, files, at);
    }
    const change = await writeForge(
      forge,
      'create_pr',
      {
        repo: repo.slug,
        head,
        base,
        title,
        body,
        checkoutDir: isThere ? '' : join(folder, toCheckoutDir(source.slug)),
        workItem: null,
      },
      { author: 'svc', at, operationId: effectId },
      { jobId, phase: 'proposal', signal },
    );
    if (!change.pr) throw new Error(`the forge has opened no pull request for ${id}`);
    return { pr: change.pr, rows: change.rows };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
