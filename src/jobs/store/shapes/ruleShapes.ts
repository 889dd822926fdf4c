import type { GuardrailAct, GuardrailMoment } from '../../../base/agents/guardrails.ts';
import type { ProposalKind, ProposalLayer, ProposalState } from '../../../base/agents/proposals.ts';
import type { DecisionTables } from '../../../contract/records/decisionTables.ts';
import type { GuardrailTables } from '../../../contract/records/guardrailTables.ts';
import type { IntelligenceTables } from '../../../contract/records/intelligenceTables.ts';
import type { ProposalTables } from '../../../contract/records/proposalTables.ts';
import type { ScheduleTables } from '../../../contract/records/scheduleTables.ts';
import type { ScheduledOutcome } from '../../../base/jobs/schedules.ts';
import type { DecisionSite } from '../../../contract/schema/policy/decision.ts';
import type { Shape } from './shape.ts';
import { CALLERS } from './usageShapes.ts';

const MOMENTS = {
  'tool.before': true,
  'write.before': true,
  'merge.before': true,
  'phase.end': true,
  'job.start': true,
} satisfies Record<GuardrailMoment, true>;

const ACTS = { deny: true, park: true, redact: true, note: true } satisfies Record<
  GuardrailAct,
  true
>;

const SITES = {
  overseer: true,
  'wake-gate': true,
  lane: true,
  'input-screen': true,
  'review-lens': true,
} satisfies Record<DecisionSite, true>;

const OUTCOMES = { started: true, skipped: true, refused: true } satisfies Record<
  ScheduledOutcome,
  true
>;

type RuleTables = GuardrailTables &
  DecisionTables &
  ProposalTables &
  IntelligenceTables &
  ScheduleTables;

export const RULE_SHAPES: { [Name in keyof RuleTables]: Shape<RuleTables[Name]> } = {
  guardrail_decisions: {
    job_id: 'text',
    rule: 'text',
    moment: { oneOf: MOMENTS },
    subject: 'text',
    result: { oneOf: ACTS },
    tool: 'text',
    message: 'text',
    phase: 'text',
    visit: 'count',
    session: 'count',
    at: 'time',
    times: 'count',
    ms: 'count',
    script: 'text?',
    allowed_at: 'time?',
    allowed_by: { oneOf: CALLERS, orNull: true },
  },
  guardrail_passes: { rule: 'text', moment: { oneOf: MOMENTS }, passes: 'count' },
  forbidden_calls: {
    job_id: 'text',
    rule: 'text',
    tool: 'text',
    message: 'text',
    phase: 'text',
    visit: 'count',
    at: 'time',
    times: 'count',
  },
  decisions: {
    job_id: 'text',
    key: 'text',
    site: { oneOf: SITES },
    at: 'time',
    phase: 'text',
    visit: 'count',
    mode: { oneOf: { shadow: true, live: true } },
    provider: 'text',
    model: 'text',
    digest_version: 'count?',
    digest_sha: 'text?',
    ms: 'count?',
    unmet: 'text?',
    unmet_confidence: 'real?',
    goal: 'real?',
    seriousness: 'real?',
    stuck: 'real?',
    raw: 'json?',
    skipped: 'text?',
    flag: 'text?',
    seen: 'object?',
    pauses: 'flag',
  },
  schedule_runs: {
    schedule: 'text',
    time: 'time',
    manual: 'flag',
    state: { oneOf: OUTCOMES },
    job_id: 'text?',
    problem: 'text?',
    at: 'time',
  },
  decision_labels: {
    job_id: 'text',
    key: 'text',
    verdict: { oneOf: { good: true, bad: true } },
    note: 'text?',
    at: 'time',
    by: { oneOf: CALLERS },
  },
  proposals: {
    id: 'text',
    job_id: 'text?',
    phase: 'text?',
    kind: {
      oneOf: { memory: true, skill: true, agent: true, workflow: true } satisfies Record<
        ProposalKind,
        true
      >,
    },
    layer: { oneOf: { tenant: true, repo: true } satisfies Record<ProposalLayer, true> },
    repo: 'text?',
    provider: 'text?',
    description: 'text',
    content: 'objects',
    hash: 'text',
    at: 'time',
    state: {
      oneOf: {
        draft: true,
        open: true,
        approved: true,
        applying: true,
        conflicted: true,
        applied: true,
        rejected: true,
        superseded: true,
      } satisfies Record<ProposalState, true>,
    },
    since: 'time',
    checks: 'object?',
    warnings: 'count',
    problem: 'text?',
    approval: 'object?',
    allowed: 'list',
    rejection: 'object?',
    plan: 'objects?',
    link: 'text?',
    superseded_by: 'text?',
  },
  intelligence_versions: {
    path: 'text',
    n: 'count',
    at: 'time',
    author: 'text',
    came: { oneOf: CALLERS, orNull: true },
    proposal: 'text?',
    text: 'text?',
  },
};
