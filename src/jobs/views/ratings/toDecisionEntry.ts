import { toIsoTime } from '../../../base/time/toIsoTime.ts';
import type { LabelledDecision } from '../../store/queries/decisionReader.ts';
import type {
  DecisionEntry,
  DecisionOutcome,
} from '../../../contract/schema/policy/decisionEntry.ts';
import { toDecisionRecord } from '../listDecisionRecords.ts';
import { readJobPast, type PastDeps, listRatedVisits } from './readJobPast.ts';
import { deriveOutcomes } from './deriveOutcomes.ts';

/** Reads the outcomes of rated phases; each job is read once. */
export class Outcomes {
  readonly #deps: PastDeps;
  readonly #ofJobs = new Map<string, Map<string, DecisionOutcome>>();

  constructor(deps: PastDeps) {
    this.#deps = deps;
  }

  /** null = unknown. A person's label outweighs everything else. */
  findOutcome({ decision, label }: LabelledDecision): DecisionOutcome | null {
    if (label) return { verdict: label.verdict, why: 'thumbs' };
    const { job_id: jobId, key, goal } = decision;
    if (goal === null) return null;
    let entries = this.#ofJobs.get(jobId);
    if (!entries) {
      entries = deriveOutcomes(listRatedVisits(this.#deps, jobId), readJobPast(this.#deps, jobId));
      this.#ofJobs.set(jobId, entries);
    }
    return entries.get(key) ?? null;
  }
}

export function toDecisionEntry(
  labelledDecision: LabelledDecision,
  outcomes: Outcomes,
): DecisionEntry {
  const { decision, label } = labelledDecision;
  return {
    jobId: decision.job_id,
    ...toDecisionRecord(decision),
    raw: decision.raw === null ? null : JSON.parse(decision.raw),
    digestVersion: decision.digest_version,
    label: label && { ...label, at: toIsoTime(label.at) },
    outcome: outcomes.findOutcome(labelledDecision),
  };
}
