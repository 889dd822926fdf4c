import { explainBehindBase, explainMergeConflict, DRAFT_REASON } from '../../rest/merging.ts';
import type { MergeRequest } from './answers.ts';

type Status = Pick<
  MergeRequest,
  'source_branch' | 'target_branch' | 'web_url' | 'detailed_merge_status' | 'merge_status'
>;

const PERSON = 'Ask a person.';
const AGAIN = 'Try again in a minute.';

const listReasons = ({
  source_branch: head,
  target_branch: base,
}: Status): Readonly<Record<string, string>> => ({
  approvals_syncing: `GitLab is still counting its approvals. ${AGAIN}`,
  blocked_status: `another merge request must be merged first. ${PERSON}`,
  broken_status: 'one of its branches is gone, or it has no commit of its own.',
  checking: `GitLab is still checking whether it can be merged. ${AGAIN}`,
  ci_must_pass: 'its pipeline must pass, and has not. Check the results and fix them.',
  ci_still_running: 'its pipeline is still running. Wait for it (await_event).',
  commits_status: 'its branch is gone, or has no commit of its own.',
  conflict: explainMergeConflict(head, base),
  discussions_not_resolved:
    'a thread is not resolved. Answer it and ask its author to resolve it, then wait (await_event).',
  draft_status: DRAFT_REASON,
  external_status_checks:
    'a check of an outside service has not passed. Wait for it (await_event), or ask a person.',
  jira_association_missing: `its title or description must name a Jira issue, which the project requires. ${PERSON}`,
  locked_lfs_files: `another user has locked a file of Git LFS that it changes. ${PERSON}`,
  locked_paths: `another user has locked a path that it changes. ${PERSON}`,
  merge_request_blocked: `another pull request must be merged first. ${PERSON}`,
  merge_time:
    'it may not be merged before a time that is set in GitLab. Ask a person when that is.',
  need_rebase: explainBehindBase(head, base),
  not_approved:
    'an approval that the project requires is missing. Wait for it (await_event), or ask a person.',
  not_open: 'it is not open.',
  policies_denied: `a policy of the project denies it. ${PERSON}`,
  preparing: `GitLab is still preparing it. ${AGAIN}`,
  requested_changes: 'a reviewer requested changes. Make them, and ask for another review.',
  security_policy_evaluation: `GitLab is still evaluating its security policies. ${AGAIN}`,
  security_policy_pipeline_check:
    'the pipeline of a security policy has not passed. Wait for it (await_event), or ask a person.',
  security_policy_violations: `it violates a security policy of the project. Look at its page in GitLab, fix what it names, or ask a person.`,
  status_checks_must_pass:
    'a check that the project requires has not passed. Wait for it (await_event), or ask a person.',
  title_not_matching: `its title does not have the form that the project requires. ${PERSON}`,
  title_regex: `its title does not have the form that the project requires. ${PERSON}`,
  unchecked: `GitLab is still checking whether it can be merged. ${AGAIN}`,
});

/** GitLab before 15.6 has only these. */
const OLDER: Readonly<Record<string, string>> = {
  cannot_be_merged: 'conflict',
  cannot_be_merged_recheck: 'checking',
  cannot_be_merged_rechecking: 'checking',
  checking: 'checking',
  unchecked: 'unchecked',
};

export const readMergeStatus = ({
  detailed_merge_status: detailedStatus,
  merge_status: older,
}: Pick<Status, 'detailed_merge_status' | 'merge_status'>): string | null => {
  if (typeof detailedStatus === 'string' && detailedStatus !== '') return detailedStatus;
  if (typeof older !== 'string') return null;
  return older === 'can_be_merged' ? 'mergeable' : (OLDER[older] ?? older);
};

export function describeMergeStatus(mr: Status, host: string): string {
  const status = readMergeStatus(mr);
  if (status === null || status === 'mergeable')
    return `${host} does not say what blocks the merge: see its page, ${mr.web_url}, or ask a person.`;
  return (
    listReasons(mr)[status] ??
    `${host} gives the status "${status}", which svc does not know: look at its page, ${mr.web_url}, or ask a person.`
  );
}
