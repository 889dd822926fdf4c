/** Why an agent may do a write; the first that applies counts. */
type Grant =
  /** Any phase that offers the tool: it changes nothing that exists. */
  | 'nothing-touched'
  /** The repository is the job's own, or was created by the job. */
  | 'own-repository'
  | 'own-pull-request'
  | 'own-ticket'
  /** The trigger follows the target, or a person or front matter names it. */
  | 'named'
  /** The target belongs to a sub-run of this job. */
  | 'of-sub-run';

const COMMENTS: readonly Grant[] = [
  'own-pull-request',
  'own-repository',
  'own-ticket',
  'named',
  'of-sub-run',
];

/** Every write to a forge or tracker that agents can ask for, and what allows it. */
export const WRITE_RULES = {
  create_repo: ['nothing-touched'],
  create_pr: ['own-repository'],
  post_pr_comment: COMMENTS,
  reply_to_comment: COMMENTS,
  approve_pr: ['named'],
  merge_pr: ['own-pull-request'],
  post_comment: ['own-ticket', 'named'],
  transition_issue: ['own-ticket', 'named'],
} as const satisfies Readonly<Record<string, readonly Grant[]>>;

export type WriteOperation = keyof typeof WRITE_RULES;

/** What is known of the job and of the write's target. Names are already in canonical form. */
export interface WriteFacts {
  ownRepository: boolean;
  ownPullRequest: boolean;
  ownTicket: boolean;
  named: boolean;
  ofSubRun: boolean;
  /** svc has opened the pull request, for this job or another. */
  openedBySvc: boolean;
  /** The open pull request of another job that has the new one's head branch; null = none. */
  branchOwner: { prId: string; jobId: string } | null;
  /** The new pull request's head is a branch that others merge into; the write would push to it. */
  headIsTarget: boolean;
}

export interface WritePlace {
  /** `github:acme/shop#7`, `local:shop`, `jira:SHOP-12`: the form that `writesTo` uses too. */
  entry: string;
  /** The head branch of a new pull request, as the job names it; empty for other operations. */
  head: string;
}

const GRANT_TESTS: Readonly<Record<Grant, (facts: WriteFacts) => boolean>> = {
  'nothing-touched': () => true,
  'own-repository': ({ ownRepository }) => ownRepository,
  'own-pull-request': ({ ownPullRequest }) => ownPullRequest,
  'own-ticket': ({ ownTicket }) => ownTicket,
  named: ({ named }) => named,
  'of-sub-run': ({ ofSubRun }) => ofSubRun,
};

const isWrite = (operation: string): operation is WriteOperation =>
  Object.hasOwn(WRITE_RULES, operation);

const describeForeignPlace = (entry: string): string =>
  `${entry} does not belong to this job. A person can allow it: "writesTo": ["${entry}"] in the params of POST /jobs, or writesTo in the front matter of the workflow`;

/** What a person can do when a grant is missing. */
const WAYS_OUT: Readonly<Record<WriteOperation, (place: WritePlace) => string>> = {
  create_repo: ({ entry }) => `${entry} cannot be created`,
  create_pr: ({ entry }) =>
    `${entry} is not this job's repository, and a job opens pull requests in its own repository only (params.repoSlug) or in one that it created. ` +
    'A person can start a job there; a coordinator can register a sub-run with params.repoSlug where writesTo names that repository',
  post_pr_comment: ({ entry }) => describeForeignPlace(entry),
  reply_to_comment: ({ entry }) => describeForeignPlace(entry),
  approve_pr: ({ entry }) => describeForeignPlace(entry),
  merge_pr: ({ entry }) =>
    `${entry} is not a pull request of this job, and an agent merges only those. ${entry.startsWith('local:') ? 'A person can merge it in the dashboard or with svc pr merge' : 'A person can merge it at the forge'}`,
  post_comment: ({ entry }) => describeForeignPlace(entry),
  transition_issue: ({ entry }) => describeForeignPlace(entry),
};

/** Why an agent may not do this write, with what a person can do; null = it may. */
export function findWriteProblem(
  operation: string,
  place: WritePlace,
  facts: WriteFacts,
): string | null {
  if (!isWrite(operation)) return `no rule says what an agent may write with ${operation}`;
  if (operation === 'approve_pr' && facts.openedBySvc) {
    return `svc opened ${place.entry}, and an agent cannot approve what svc opened. A person can approve it`;
  }
  const grants: readonly Grant[] = WRITE_RULES[operation];
  if (!grants.some((grant) => GRANT_TESTS[grant](facts))) return WAYS_OUT[operation](place);
  return operation === 'create_pr' ? findBranchProblem(place, facts) : null;
}

function findBranchProblem(
  { head, entry }: WritePlace,
  { branchOwner, headIsTarget }: WriteFacts,
): string | null {
  if (branchOwner !== null) {
    return `${branchOwner.prId} of the branch ${head} belongs to ${branchOwner.jobId}: use a branch of this job's own`;
  }
  if (headIsTarget)
    return `pull requests are merged into ${head} of ${entry}, so an agent does not push to it: use a branch of this job's own`;
  return null;
}
