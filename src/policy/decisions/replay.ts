import type { Runner } from '../../contract/runner/runner.ts';
import { SvcError } from '../../base/errors/errors.ts';
import type { RatingTerms, OverseerAnswers } from '../../contract/schema/policy/decision.ts';
import type { DecisionReplay } from '../../contract/schema/policy/decisionEntry.ts';
import type { DecisionRecord } from '../../contract/schema/policy/decisionRecord.ts';
import type { PhaseDefinition } from '../../contract/schema/workflow/workflow.ts';
import { askDecider } from './askDecider.ts';
import { DIGEST_VERSION, buildPhaseDigest } from './digest/buildPhaseDigest.ts';
import { gatherDigestInput, type SeenVisit } from './digest/gatherDigestInput.ts';
import { openPhaseDecider, type RatePhaseDeps, buildPhaseQuestion } from './ratePhase.ts';

interface ReplayDeps
  extends Omit<RatePhaseDeps, 'readChangedFiles' | 'readLastFrame' | 'usageRows'>,
    Pick<Runner, 'decisions'> {
  terms(): Pick<RatingTerms, 'provider' | 'model' | 'timeoutMs'>;
  /** The phase in the job's present workflow; null = it no longer exists. */
  phase(jobId: string, name: string): { phase: PhaseDefinition; workflowPath: string } | null;
}

/** Visit and session of the rating of a phase. */
const RATING = /^overseer\/(\d+)\/(\d+)$/;

const createReplayRefusal = (message: string) => new SvcError('not-possible-now', message);

/**
 * POST /decisions/replay: rebuilds the digest of a rating from committed rows and, if requested,
 * asks the present provider with it. Records nothing.
 */
export const createReplay = (deps: ReplayDeps): Pick<Runner, 'replayDecision'> => ({
  async replayDecision({ job, key, ask: asks = false }) {
    const [record] = deps.decisions({ job, key, limit: 1 }).decisions;
    if (!record)
      throw new SvcError('not-found', `The job ${job} has no rating with the key ${key}.`);
    const [, visit, session] = RATING.exec(key) ?? [];
    const storedDecision = deps.rows.one('decisions', { job_id: job, key });
    if (visit === undefined || session === undefined)
      throw createReplayRefusal('Only phase ratings have a digest that can be recomputed.');
    if (!storedDecision?.seen || record.digest === null)
      throw createReplayRefusal('This rating has no digest: the provider was never asked.');
    // Only the job's chart writes it.
    const seenVisit = JSON.parse(storedDecision.seen) as SeenVisit;
    const {
      sha256,
      counts: _,
      version,
      ...digest
    } = buildPhaseDigest(gatherDigestInput(deps, job, Number(visit), seenVisit));
    const same = sha256 === record.digest;
    return {
      recorded: record.digest,
      rebuilt: sha256,
      same,
      why: same ? null : explainOtherDigest(record.digestVersion, version),
      digest: pickDigestSections(digest),
      asked: asks
        ? await askReplayQuestion(deps, record, { visit, session, seen: seenVisit })
        : null,
      earlier: record.rating,
    };
  },
});

const explainOtherDigest = (then: number | null, now: number): string =>
  then === now
    ? 'Rows that it was computed from have changed.'
    : `Its form has changed since: version ${then ?? 'unknown'} then, ${DIGEST_VERSION} now.`;

type DigestSections = DecisionReplay['digest'];

const pickDigestSections = ({
  facts,
  tools,
  failures,
  people,
  claims,
  history,
  truncated,
}: { readonly [K in keyof DigestSections]: readonly string[] }): DigestSections => ({
  facts: [...facts],
  tools: [...tools],
  failures: [...failures],
  people: [...people],
  claims: [...claims],
  history: [...history],
  truncated: [...truncated],
});

async function askReplayQuestion(
  deps: ReplayDeps,
  { jobId, phase: name }: { jobId: string; phase: string },
  { visit, session, seen }: { visit: string; session: string; seen: SeenVisit },
): Promise<DecisionReplay['asked']> {
  const decidedPhase = deps.phase(jobId, name);
  if (decidedPhase === null)
    throw createReplayRefusal(
      `The workflow of the job no longer has the phase ${name}, so it cannot be rated again.`,
    );
  const terms = deps.terms();
  const question = buildPhaseQuestion(
    deps,
    jobId,
    { visit: Number(visit), session: Number(session), ...decidedPhase, terms },
    seen,
  );
  // A new id: a provider may repeat its old answer for the first one.
  const again = { ...question, id: `${question.id}/again-${deps.clock.now()}` };
  const outcome = await askDecider(openPhaseDecider(deps, terms), again, {
    ...deps,
    signal: new AbortController().signal,
  });
  const { provider, model } = terms;
  return {
    provider,
    model,
    ms: outcome.ms,
    skipped: 'skipped' in outcome ? outcome.skipped : null,
    rating: 'answers' in outcome ? toReplayRating(outcome.answers, question.obligations) : null,
  };
}

function toReplayRating(
  { requirement, goal, seriousness, stuck }: OverseerAnswers,
  obligations: readonly { id: string; text: string }[],
): DecisionRecord['rating'] {
  const unmet = obligations.find(({ id }) => id === requirement.choice);
  return {
    goal: goal.probability,
    unmet: unmet?.text ?? null,
    unmetConfidence: unmet ? requirement.confidence : null,
    seriousness: seriousness.score,
    stuck: stuck.probability,
  };
}
