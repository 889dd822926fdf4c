import type { ForgeTables } from '../../../contract/records/forgeTables.ts';
import type { Tables } from '../../../contract/records/tables.ts';
import type { PrState } from '../../../contract/schema/forge/pr.ts';
import type { Review, ReviewVerdict } from '../../../contract/schema/forge/review.ts';
import type { Shape } from './shape.ts';
import { CALLERS } from './usageShapes.ts';

const PR_STATES = { open: true, merged: true, closed: true } satisfies Record<PrState, true>;

type NewsTables = ForgeTables &
  Pick<Tables, 'pr_mappings' | 'webhook_deliveries' | 'trigger_runs' | 'job_references'>;

export const FORGE_SHAPES: { [Name in keyof NewsTables]: Shape<NewsTables[Name]> } = {
  forge_prs: {
    repo: 'text',
    number: 'count',
    operation_id: 'text',
    title: 'text',
    body: 'text',
    head: 'text',
    base: 'text',
    author: 'text',
    state: { oneOf: PR_STATES },
    work_item: 'text?',
    created_at: 'time',
    merged_at: 'time?',
    merge_commit: 'text?',
    merged_by: 'text?',
    merge_operation_id: 'text?',
    head_commit: 'text?',
  },
  forge_comments: {
    repo: 'text',
    number: 'count',
    id: 'text',
    operation_id: 'text',
    author: 'text',
    body: 'text',
    in_reply_to: 'text?',
    at: 'time',
    path: 'text?',
    line: 'count?',
    start_line: 'count?',
    side: { oneOf: { before: true, after: true }, orNull: true },
    commit_hash: 'text?',
    resolved_at: 'time?',
    resolved_by: 'text?',
  },
  forge_reviews: {
    repo: 'text',
    number: 'count',
    author: 'text',
    operation_id: 'text',
    at: 'time',
    commit_hash: 'text?',
    verdict: { oneOf: { approved: true, changes_requested: true } },
  },
  forge_writes: {
    operation_id: 'text',
    forge: 'text',
    operation: 'text',
    repo: 'text',
    number: 'count?',
    job_id: 'text',
    phase: 'text',
    at: 'time',
    state: { oneOf: { sent: true, done: true, refused: true, undecided: true } },
    result: 'text',
  },
  svc_approvals: {
    forge: 'text',
    repo: 'text',
    number: 'count',
    person: 'text',
    head: 'text',
    at: 'time',
    came: { oneOf: CALLERS },
  },
  reviews: {
    id: 'text',
    job_id: 'text',
    forge: 'text',
    repo: 'text',
    number: 'count',
    pr_id: 'text',
    head: 'text',
    author: 'text',
    came: { oneOf: CALLERS },
    at: 'time',
    verdict: {
      oneOf: { approve: true, request_changes: true, comment: true } satisfies Record<
        ReviewVerdict,
        true
      >,
    },
    content: 'object',
    state: {
      oneOf: { queued: true, sent: true, partly: true, failed: true } satisfies Record<
        Review['state'],
        true
      >,
    },
    problem: 'text?',
    outcome: 'json',
  },
  pr_conflicts: {
    forge: 'text',
    repo: 'text',
    number: 'count',
    cause: 'text',
    round: 'count',
    over: 'flag',
  },
  pr_checks: {
    forge: 'text',
    repo: 'text',
    number: 'count',
    cause: 'text',
    round: 'count',
    green: 'flag',
    told: 'flag',
    event: 'object',
  },
  pr_mappings: {
    forge: 'text',
    repo: 'text',
    number: 'count',
    job_id: 'text',
    pr_id: 'text',
    title: 'text',
    head: 'text',
    base: 'text',
    url: 'text',
    state: { oneOf: PR_STATES },
    work_item: 'text?',
    merged_at: 'iso?',
    problem: 'text?',
  },
  webhook_deliveries: { plugin_id: 'text', delivery_id: 'text', at: 'time' },
  job_references: { reference: 'text', job_id: 'text' },
  trigger_runs: {
    rule: 'text',
    subject: 'text',
    job_id: 'text',
    at: 'time',
    plugin_id: 'text',
    delivery_id: 'text',
    event: 'text',
    author: 'text',
  },
};
