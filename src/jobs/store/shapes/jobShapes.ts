import type { SandboxState } from '../../../base/agents/sandboxProfiles.ts';
import type { JobListTable } from '../../../contract/records/jobListTable.ts';
import type { Tables } from '../../../contract/records/tables.ts';
import type { Ask } from '../../../contract/schema/job/jobNeeds.ts';
import type { MessageWay } from '../../../contract/schema/session/message.ts';
import type { ParkKind } from '../../../contract/schema/job/parked.ts';
import type { SubRunStatus } from '../../../contract/schema/job/subRun.ts';
import type { Shape } from './shape.ts';

const STATES = {
  queued: true,
  working: true,
  waiting: true,
  failed: true,
  partial: true,
  complete: true,
  cancelled: true,
} satisfies Record<JobListTable['job_list']['state'], true>;

const ASKS = {
  approval: true,
  input: true,
  external: true,
  halted: true,
  budget: true,
  review: true,
  'open-pr': true,
  failed: true,
  escalated: true,
} satisfies Record<Ask, true>;

const PARK_KINDS = {
  approval: true,
  event: true,
  developer: true,
  paused: true,
  subRuns: true,
  halted: true,
  quota: true,
  budget: true,
  outage: true,
  external: true,
  flagged: true,
} satisfies Record<ParkKind, true>;

type JobTables = JobListTable &
  Pick<
    Tables,
    | 'inbox_items'
    | 'message_offers'
    | 'insights'
    | 'artefacts'
    | 'token_usage'
    | 'session_sandboxes'
    | 'failed_outputs'
    | 'checkouts'
    | 'phase_visits'
    | 'phase_transitions'
    | 'tool_answers'
    | 'deprecated_uses'
    | 'requests'
    | 'sub_runs'
    | 'sibling_insights'
    | 'campaigns'
    | 'unheard_news'
    | 'snoozes'
    | 'job_creators'
    | 'quota_waits'
    | 'logins'
    | 'retention_runs'
  >;

/** Jobs, their visits and sub-runs, and tables that belong to no other feature. */
export const JOB_SHAPES: { [Name in keyof JobTables]: Shape<JobTables[Name]> } = {
  job_list: {
    job_id: 'text',
    parent: 'text?',
    kind: 'text',
    status: 'text',
    state: { oneOf: STATES },
    ask: { oneOf: ASKS, orNull: true },
    since: 'time',
    dismissed_at: 'time?',
    repo: 'text?',
    workflow: 'text',
    phase: 'text',
    title: 'text',
    created_at: 'time',
    text: 'text',
  },
  job_groups: {
    state: { oneOf: STATES },
    ask: { oneOf: { ...ASKS, '': true } },
    dismissed: 'flag',
    sub_run: 'flag',
    kind: 'text',
    repo: 'text',
    workflow: 'text',
    status: 'text',
    jobs: 'count',
  },
  job_quarters: {
    quarter: 'count',
    kind: {
      oneOf: {
        created: true,
        complete: true,
        partial: true,
        failed: true,
        cancelled: true,
        'failed-sub-run': true,
        escalated: true,
        tokens: true,
        unreported: true,
      },
    },
    workflow: 'text',
    n: 'count',
    more: 'count',
  },
  job_summaries: {
    job_id: 'text',
    description: 'text',
    parked: {
      object: { members: { kind: Object.keys(PARK_KINDS), since: 'iso?', reason: 'text?' } },
      orNull: true,
    },
    escalation: 'text?',
    failed: 'count',
    escalated: 'count',
  },
  inbox_items: {
    job_id: 'text',
    n: 'count',
    id: 'text',
    at: 'time',
    kind: {
      oneOf: {
        message: true,
        'event:approved': true,
        'event:changes_requested': true,
        'event:commented': true,
        'event:review_thread': true,
        'event:check_failed': true,
        'event:check_passed': true,
        'event:conflict': true,
        'event:merged': true,
        'event:closed': true,
        'event:reopened': true,
      } satisfies Record<Tables['inbox_items']['kind'], true>,
    },
    author: 'text',
    text: 'text',
    pr_id: 'text?',
    url: 'text?',
    acknowledged_at: 'time?',
    superseded_by: 'text?',
    held: 'flag?',
    override: 'flag?',
  },
  message_offers: {
    job_id: 'text',
    id: 'text',
    visit: 'count',
    session: 'count',
    attempt: 'count',
    how: {
      oneOf: { kickoff: true, folded: true, 'next-turn': true, interrupt: true } satisfies Record<
        MessageWay,
        true
      >,
    },
    interrupted: 'text?',
    at: 'time',
    delivered_at: 'time?',
    acknowledged_at: 'time?',
  },
  insights: {
    job_id: 'text',
    id: 'text',
    at: 'time',
    phase: 'text',
    category: 'text',
    text: 'text',
  },
  artefacts: {
    job_id: 'text',
    id: 'text',
    at: 'time',
    phase: 'text',
    visit: 'count',
    kind: 'text',
    title: 'text',
    mime: 'text',
    size: 'count',
    sha256: 'text',
    removed_at: 'time?',
  },
  token_usage: {
    job_id: 'text',
    visit: 'count',
    session: 'count',
    phase: 'text',
    input_tokens: 'count',
    output_tokens: 'count',
    cached_input_tokens: 'count',
    cache_write_tokens: 'count?',
  },
  checkouts: {
    job_id: 'text',
    port: 'count?',
    ports: 'count',
    setup_hash: 'text?',
    files_hash: 'text?',
  },
  session_sandboxes: {
    job_id: 'text',
    visit: 'count',
    session: 'count',
    state: {
      oneOf: { runtime: true, bubblewrap: true, command: true, none: true } satisfies Record<
        SandboxState,
        true
      >,
    },
    reason: 'text?',
  },
  failed_outputs: {
    job_id: 'text',
    visit: 'count',
    session: 'count',
    phase: 'text',
    lines: 'objects',
    exit_code: 'count?',
  },
  phase_visits: {
    job_id: 'text',
    visit: 'count',
    phase: 'text',
    status: 'text',
    started_at: 'time',
    ended_at: 'time?',
    sessions: 'count',
    overlay_hash: 'text?',
    outcome: 'text?',
    approved_by: {
      oneOf: {
        token: true,
        login: true,
        open: true,
        member: true,
        autoApprove: true,
        developer: true,
      },
      orNull: true,
    },
    approved_person: 'text?',
  },
  phase_transitions: {
    job_id: 'text',
    visit: 'count',
    kind: 'text',
    at: 'time',
    workflow: 'text',
    from_phase: 'text',
    to_phase: 'text',
    cause: 'text',
  },
  tool_answers: { job_id: 'text', key: 'text', ok: 'flag', result: 'object' },
  deprecated_uses: { name: 'text', uses: 'count', last_used_at: 'time' },
  requests: { key: 'text', body_hash: 'text', job_id: 'text', reply: 'empty-or-json', at: 'time' },
  sub_runs: {
    parent: 'text',
    name: 'text',
    n: 'count',
    description: 'text',
    params: 'object',
    depends_on: 'texts',
    tracker_ref: 'text?',
    job_id: 'text?',
    attempt: 'count',
    status: {
      oneOf: {
        pending: true,
        ready: true,
        dispatched: true,
        complete: true,
        failed: true,
        escalated: true,
        skipped: true,
      } satisfies Record<SubRunStatus, true>,
    },
    reason: 'text?',
    started_at: 'time?',
    completed_at: 'time?',
    before_skip: 'object?',
  },
  sibling_insights: {
    job_id: 'text',
    n: 'count',
    sub_run: 'text',
    id: 'text',
    at: 'time',
    phase: 'text',
    category: 'text',
    text: 'text',
  },
  campaigns: { job_id: 'text' },
  snoozes: { job_id: 'text', ask: { oneOf: ASKS }, since: 'time', until: 'time' },
  job_creators: { job_id: 'text', person: 'text' },
  unheard_news: { job_id: 'text', external_id: 'text', at: 'time' },
  quota_waits: {
    pool: 'text',
    headless: 'flag',
    since: 'time',
    job_id: 'text',
  },
  logins: { cookie_hash: 'text', page_key_hash: 'text', created_at: 'time', used_at: 'time' },
  retention_runs: { at: 'time', reply: 'object' },
};
