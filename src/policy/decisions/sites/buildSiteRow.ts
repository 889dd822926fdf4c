import type { RowChange } from '../../../contract/records/changes.ts';
import type { Tables } from '../../../contract/records/tables.ts';
import type { DecisionSite } from '../../../contract/schema/policy/decision.ts';
import type { DeciderOutcome } from '../askDecider.ts';
import type { DecisionQuestion } from '../../../contract/policy/decider.ts';

export type OtherSite = Exclude<DecisionSite, 'overseer'>;

interface AskedSite {
  jobId: string;
  key: string;
  question: DecisionQuestion;
  mode: 'shadow' | 'live';
  provider: string;
  model: string;
  at: number;
}

export function buildSiteRow<Site extends OtherSite>(
  { jobId, key, question, mode, provider, model, at }: AskedSite,
  outcome: DeciderOutcome<Site>,
  flag: string | null,
): RowChange {
  const { site, phase, digest } = question;
  const row: Tables['decisions'] = {
    job_id: jobId,
    key,
    site,
    at,
    phase: phase.name,
    visit: phase.visit,
    mode,
    provider,
    model,
    digest_version: digest.version,
    digest_sha: digest.sha256,
    ms: outcome.ms,
    unmet: null,
    unmet_confidence: null,
    goal: null,
    seriousness: null,
    stuck: null,
    raw: 'answers' in outcome ? JSON.stringify(outcome.answers) : null,
    skipped: 'skipped' in outcome ? outcome.skipped : null,
    flag,
    seen: null,
    pauses: 0,
  };
  return { op: 'put', table: 'decisions', row };
}
