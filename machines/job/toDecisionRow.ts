import type { IntrinsicParams } from '../../src/contract/records/changes.ts';
import type { CommittedRating, RatingTerms } from '../../src/contract/schema/policy/decision.ts';
import type { JobContext } from './jobContext.ts';

type Put = IntrinsicParams['row.put'];

/** The rating, or why none exists. */
type RatingOutcome =
  | { terms: RatingTerms; rating: CommittedRating; flag: string | null; pauses: boolean }
  | { terms: RatingTerms; skipped: string };

/** A record of the decision layer. Its id is the session's, so a repeat is the same record. */
export function toDecisionRow(
  { id, visit, session, phase }: JobContext,
  at: number,
  rated: RatingOutcome,
): Put {
  const { mode, provider, model, recordedModel = model } = rated.terms;
  const rating = 'rating' in rated ? rated.rating : null;
  const outcome = rating?.outcome ?? { skipped: 'skipped' in rated ? rated.skipped : '' };
  const answers = 'answers' in outcome ? outcome.answers : null;
  const unmet = rating?.obligations.find(({ id: one }) => one === answers?.requirement.choice);
  return {
    table: 'decisions',
    row: {
      job_id: id,
      key: `overseer/${visit}/${session}`,
      site: 'overseer',
      at,
      phase,
      visit,
      mode,
      provider,
      model: recordedModel,
      digest_version: rating?.digestVersion ?? null,
      digest_sha: rating?.digestSha ?? null,
      ms: rating?.ms ?? null,
      unmet: unmet?.text ?? null,
      unmet_confidence: answers && unmet ? answers.requirement.confidence : null,
      goal: answers?.goal.probability ?? null,
      seriousness: answers?.seriousness.score ?? null,
      stuck: answers?.stuck.probability ?? null,
      raw: answers === null ? null : JSON.stringify(answers),
      skipped: 'skipped' in outcome ? outcome.skipped : null,
      seen: rating === null ? null : JSON.stringify(rating.seen),
      flag: 'flag' in rated ? rated.flag : null,
      pauses: 'pauses' in rated && rated.pauses ? 1 : 0,
    },
  };
}
