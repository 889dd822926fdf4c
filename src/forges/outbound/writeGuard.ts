import type { JobContext } from '../../../machines/index.ts';
import type { PrDetail } from '../../contract/forge/forge.ts';
import { readBranchDiff } from '../../git/readBranchDiff.ts';
import type { Decision, Guardrails } from '../../policy/guardrails/guardrails.ts';
import { buildRuleSubject } from '../../policy/guardrails/buildRuleSubject.ts';
import type { Subject, SubjectDiff } from '../../policy/guardrails/rule.ts';
import { SvcError } from '../../base/errors/errors.ts';
import type { Forges } from '../../providers/forges.ts';
import type { RowReader } from '../../contract/records/rowReader.ts';
import { toForgeAuthor } from '../localForgeService.ts';
import type { WriteForgeDeps } from './writeForge.ts';
import type { WriteLeave } from './writeAccess.ts';

const HOUR_MS = 3_600_000;
const COMMENTS = ['post_pr_comment', 'reply_to_comment', 'post_comment'];

export interface WriteGuardDeps {
  guardrails: Pick<Guardrails, 'check'>;
  rows: RowReader;
  forges: Forges;
  readContext(jobId: string): JobContext;
  usdLeft(jobId: string): number | null;
  now(): number;
  /** Whether branches are taken before they go out, so that their content can be checked. */
  takesBranches: boolean;
}

interface WriteQuestion {
  jobId: string;
  provider: string;
  operation: string;
  leave: WriteLeave;
  /** The pull request as the forge has it right before a merge. */
  detail?: PrDetail;
  diff?: SubjectDiff | null;
}

function countCommentsInHour({ rows, now }: WriteGuardDeps, jobId: string): number {
  const since = now() - HOUR_MS;
  const atOthers = rows
    .all('forge_writes', { job_id: jobId, state: 'done' })
    .filter(({ operation, at }) => COMMENTS.includes(operation) && at > since);
  const here = rows
    .all('forge_comments', { author: toForgeAuthor(jobId) })
    .filter(({ at }) => at > since);
  return atOthers.length + here.length;
}

function buildWriteSubject(deps: WriteGuardDeps, writeQuestion: WriteQuestion): Subject {
  const { jobId, provider, operation, leave, detail, diff = null } = writeQuestion;
  const context = deps.readContext(jobId);
  const { checkoutDir: _place, ...args } = leave.args;
  const repository = String(args.repo ?? '');
  const open = deps.rows.all('pr_mappings', { job_id: jobId, forge: provider, state: 'open' });
  const mapping =
    operation === 'create_pr'
      ? open.find(({ repo, head }) => repo === repository && head === args.head)
      : deps.rows
          .all('pr_mappings', { forge: provider, number: Number(args.number ?? 0) })
          .find(({ repo }) => repo === repository);
  const number = mapping?.number ?? (typeof args.number === 'number' ? args.number : null);
  return buildRuleSubject(context, {
    moment: operation === 'merge_pr' ? 'merge.before' : 'write.before',
    tool: operation,
    args,
    phase: context.phase,
    pr:
      number === null
        ? null
        : {
            number,
            repository,
            own: mapping?.job_id === jobId,
            author: detail?.author ?? '',
            draft: detail?.mergeState?.word === 'draft',
            checks: detail?.requiredChecks.state ?? '',
          },
    diff,
    approvals: detail?.headApprovals ?? [],
    usdLeft: deps.usdLeft(jobId),
    done: {
      openPrs: context.prs.filter(({ state }) => state === 'open').length,
      commentsInHour: countCommentsInHour(deps, jobId),
    },
    refused: leave.problem,
  });
}

/** Why a decision blocks a write; null = it does not. */
const explainBlockedWrite = ({ result, message }: Decision): string | null =>
  result === 'deny' || result === 'park' ? message.replace(/\.$/, '') : null;

export const createWriteGuard = (deps: WriteGuardDeps) => {
  const ask = async (writeQuestion: WriteQuestion): Promise<WriteLeave> => {
    const { jobId, leave } = writeQuestion;
    const { visit, session } = deps.readContext(jobId);
    const subject = buildWriteSubject(deps, writeQuestion);
    const decision = await deps.guardrails.check(subject, { visit, session });
    // What svc itself refuses stays refused whatever the rules say.
    return {
      problem: leave.problem ?? explainBlockedWrite(decision),
      args: { ...leave.args, ...decision.args },
    };
  };

  const readSubjectDiff = async (
    provider: string,
    args: Record<string, unknown>,
    signal: AbortSignal,
  ): Promise<SubjectDiff | null> => {
    const { checkoutDir, head, base, repo } = args;
    const source = await deps.forges.get(provider)?.source(String(repo), { fresh: false });
    if (typeof checkoutDir !== 'string' || checkoutDir === '' || !source || !deps.takesBranches)
      return null;
    // Nothing is pushed then: the forge's own commits are compared.
    if (head === source.defaultBranch) return null;
    return readBranchDiff({
      checkoutDir,
      branch: String(head),
      base: typeof base === 'string' && base !== '' ? base : source.defaultBranch,
      repoPath: source.path,
      signal,
    });
  };

  return {
    ask,
    /** Asks the rules about the content of exactly the branch that goes out. */
    screened:
      (screenWrite: WriteForgeDeps['screenWrite']): WriteForgeDeps['screenWrite'] =>
      (provider, operation, args, signal, write, jobId) =>
        screenWrite(
          provider,
          operation,
          args,
          signal,
          async (checkedArgs, tokens) => {
            if (operation !== 'create_pr') return write(checkedArgs, tokens);
            const content = await readSubjectDiff(provider, checkedArgs, signal);
            const diff = content && { ...content, tokens };
            const leave = { problem: null, args: checkedArgs };
            const answer = await ask({ jobId, provider, operation, leave, diff });
            if (answer.problem !== null)
              throw new SvcError('forbidden', `${answer.problem}. Nothing was done.`);
            return write(answer.args, tokens);
          },
          jobId,
        ),
  };
};
