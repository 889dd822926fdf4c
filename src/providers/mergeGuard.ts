import type { PrDetail } from '../contract/forge/forge.ts';

/** Length of a commit's hash for people. */
const SHOWN = 12;

/** What people decided about a pull request in svc. */
export interface DecisionsInSvc {
  /** Someone approved exactly the newest commit. */
  isApproved: boolean;
  /** People whose latest decision requests changes. */
  requested: readonly string[];
  /** People whose latest decision is an approval. */
  approvedSince: readonly string[];
}

const NOTHING_DECIDED: DecisionsInSvc = { isApproved: false, requested: [], approvedSince: [] };

/**
 * Why an agent may not merge this pull request now, in a sentence that says what to do; null = it
 * may merge `pr.headCommit`. `isOwn`: whether an account is svc's. Approvals of earlier commits do
 * not count, and what is unknown is never taken for good. A person's merge does not call this.
 */
export function explainMergeProblem(
  pr: PrDetail,
  isOwn: (account: string) => boolean,
  inSvc: DecisionsInSvc = NOTHING_DECIDED,
): string | null {
  if (pr.headCommit === '')
    return `${pr.prId} cannot be merged by an agent: ${pr.forge} does not report its newest commit`;
  const reason =
    unreadProblem(pr) ??
    explainRequestedChanges(pr, inSvc) ??
    (inSvc.isApproved ? null : explainMissingApproval(pr, isOwn)) ??
    explainUnmetChecks(pr);
  return reason === null ? null : `${pr.prId} cannot be merged by an agent yet: ${reason}`;
}

/** The part that could not be read may hold decisions or open threads. */
function unreadProblem({ unread = [] }: PrDetail): string | null {
  const missing = unread.find(
    ({ parts }) => parts.includes('reviews') || parts.includes('threads'),
  );
  return missing === undefined
    ? null
    : `${missing.why}. They are read again with each poll: try again in a minute`;
}

/** One person's approval does not settle what another has requested, at any commit. */
function explainRequestedChanges(
  { changesRequested, forge }: PrDetail,
  { requested, approvedSince }: DecisionsInSvc,
): string | null {
  const isLocal = forge === 'local';
  const atForge = changesRequested.filter((name) => !isLocal || !approvedSince.includes(name));
  const alone = requested.filter((person) => !isLocal && !atForge.includes(person));
  if (atForge.length === 0 && alone.length === 0) return null;
  const ways = [
    ...atForge.map((name) =>
      isLocal
        ? `${name} approves it in the dashboard or with svc pr approve`
        : `${name} approves it at ${forge}, or the request of ${name} is dismissed there`,
    ),
    ...alone.map((name) => `${name} approves it in svc (in the dashboard or with svc pr approve)`),
  ];
  const who = [...atForge, ...alone.map((name) => `${name} (in svc)`)].join(', ');
  return `changes were requested by ${who}, and an approval by someone else does not settle that. Make the changes, then: ${ways.join('; ')}. Wait for that with await_event`;
}

function explainMissingApproval(
  { approvals, headApprovals, headCommit, forge, approvalsProblem: unknown }: PrDetail,
  isOwn: (account: string) => boolean,
): string | null {
  if (headApprovals.some((account) => !isOwn(account))) return null;
  const commit = `its newest commit ${headCommit.slice(0, SHOWN)}`;
  const where =
    forge === 'local'
      ? 'A person approves it in the dashboard or with svc pr approve'
      : `A person approves it at ${forge}, or in svc (in the dashboard or with svc pr approve)`;
  // Then svc can only see its own approvals.
  if (unknown !== undefined)
    return `svc cannot read who has approved ${commit} (${unknown}). A person approves it in svc (in the dashboard or with svc pr approve); wait for that with await_event`;
  const others = approvals.filter((account) => !isOwn(account));
  const why =
    others.length === 0
      ? `no one but svc has approved ${commit}`
      : `the approval of ${others.join(', ')} is not known to be for ${commit}`;
  return `${why}. ${where}; wait for that with await_event`;
}

function explainUnmetChecks({
  requiredChecks: { state, reason },
  mergeState,
}: PrDetail): string | null {
  const word =
    mergeState === null
      ? 'the forge does not report whether it can be merged'
      : `the forge says ${mergeState.word}`;
  switch (state) {
    case 'green':
      return null;
    case 'red':
      return 'a required check has failed. Look at get_pr_status and fix it';
    case 'pending':
      return 'a required check has not finished. Wait for it with await_event { "kinds": ["check_passed", "check_failed"] }';
    case 'none':
      return mergeState?.clean
        ? null
        : `no check has been reported for its newest commit, and ${word}`;
    case 'unreadable':
      return mergeState?.clean
        ? null
        : `svc may not read its checks (${reason}), and ${word}. A person can give the token that permission`;
  }
}
