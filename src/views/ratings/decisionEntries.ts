import { iso } from '../../domain/isoTime.ts';
import type { LabelledDecision } from '../../durable/sqlite/decisionReader.ts';
import type { DecisionEntry, DecisionOutcome } from '../../schema/decisionEntry.ts';
import { recordOf } from '../decisionRecords.ts';
import { jobPast, type PastDeps, ratedVisitsOf } from './jobPast.ts';
import { outcomesOf } from './outcomes.ts';

/** Reads how rated phases have turned out; each job is read once. */
export class Outcomes {
  readonly #deps: PastDeps;
  readonly #ofJobs = new Map<string, Map<string, DecisionOutcome>>();

  constructor(deps: PastDeps) {
    this.#deps = deps;
  }

  /** null = it is not known. What a person says of it outweighs all else. */
  of({ decision, label }: LabelledDecision): DecisionOutcome | null {
    if (label) return { verdict: label.verdict, why: 'thumbs' };
    const { job_id: jobId, key, goal } = decision;
    if (goal === null) return null;
    let known = this.#ofJobs.get(jobId);
    if (!known) {
      known = outcomesOf(ratedVisitsOf(this.#deps, jobId), jobPast(this.#deps, jobId));
      this.#ofJobs.set(jobId, known);
    }
    return known.get(key) ?? null;
  }
}

/** A record of the decision layer as lists show it. */
export function entryOf(found: LabelledDecision, outcomes: Outcomes): DecisionEntry {
  const { decision, label } = found;
  return {
    jobId: decision.job_id,
    ...recordOf(decision),
    raw: decision.raw === null ? null : JSON.parse(decision.raw),
    digestVersion: decision.digest_version,
    label: label && { ...label, at: iso(label.at) },
    outcome: outcomes.of(found),
  };
}
