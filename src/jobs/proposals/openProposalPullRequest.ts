import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type {
  Forge,
  ForgeActor,
  ForgeChange,
  ForgeOperations,
} from '../../contract/forge/forge.ts';
import { toCheckoutDir, ensureCheckout } from '../../git/checkout.ts';
import { runGit } from '../../git/runGit.ts';
import { findBranch, openRepository } from '../../git/openRepository.ts';
import { shorten } from '../../base/text/clip.ts';
import { SvcError } from '../../base/errors/errors.ts';
import type { Caller } from '../../providers/account/caller.ts';
import { type Forges, resolveForge } from '../../providers/forges.ts';
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

async function commitApplyPlan(checkout: string, row: ProposalRow, plan: ApplyPlan, at: number) {
  const git = (...args: string[]) =>
    runGit(args, {
      cwd: checkout,
      env: {
        GIT_AUTHOR_DATE: `@${Math.floor(at / 1000)} +0000`,
        GIT_COMMITTER_DATE: `@${Math.floor(at / 1000)} +0000`,
      },
    });
  await git('switch', '--quiet', '--create', toProposalBranch(row.id));
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
  await git(
    'commit',
    '--quiet',
    '--no-verify',
    '-m',
    `${formatProposalPrTitle(row)}\n\n${formatProposalPrBody(row)}`,
  );
}

const formatProposalPrTitle = ({ description }: ProposalRow): string =>
  shorten(description.trim().split('\n', 1)[0] ?? '', MAX_TITLE);

/**
 * Opens the pull request of a proposal to a repository, on its own branch. A repeat after a crash
 * finds the branch and the pull request. Nothing is pushed to the base branch.
 */
export async function openProposalPullRequest(
  { forges, checkouts, writeForge }: PullRequestDeps,
  row: ProposalRow,
  { at, effectId, signal, plan }: PullRequestOpening,
): Promise<{ link: string; rows: RowChange[] }> {
  const repo = toProposalRepo(row);
  if (repo === null) throw new Error(`the proposal ${row.id} has no repository`);
  const forge = resolveForge(forges, repo);
  const source = await forge.source(repo.slug, { fresh: true });
  if (!source) throw new Error(`a forge did not clone ${repo.slug}`);
  const head = toProposalBranch(row.id);
  const folder = join(checkouts, row.id);
  const isThere = (await findBranch(openRepository(source.path), head)) !== undefined;
  try {
    if (!isThere) {
      await rm(folder, { recursive: true, force: true });
      const { absDir } = await ensureCheckout({
        repoPath: source.path,
        jobDir: folder,
        slug: source.slug,
        baseBranch: source.defaultBranch,
      });
      const files = await plan((path) => readPlainTextAt(absDir, path));
      if (files.every(({ before, after }) => before === after))
        throw new SvcError(
          'conflict',
          `${source.defaultBranch} of ${repo.slug} has all of this already.`,
        );
      await commitApplyPlan(absDir, row, files, at);
    }
    const change = await writeForge(
      forge,
      'create_pr',
      {
        repo: repo.slug,
        head,
        base: '',
        title: formatProposalPrTitle(row),
        body: formatProposalPrBody(row),
        checkoutDir: isThere ? '' : join(folder, toCheckoutDir(source.slug)),
        workItem: null,
      },
      { author: 'svc', at, operationId: effectId },
      { jobId: row.job_id ?? row.id, phase: 'proposal', signal },
    );
    if (!change.pr) throw new Error(`the forge has opened no pull request for ${row.id}`);
    return { link: change.pr.url, rows: change.rows };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
