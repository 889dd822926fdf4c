import type { StateFrame } from '../../../contract/schema/job/frames.ts';
import type { DecisionOutcome } from '../../../contract/schema/policy/decisionEntry.ts';

const DAY_MS = 86_400_000;
/** A merge that is reverted within this time was a bad one, days. */
export const REVERTED_WITHIN_DAYS = 14;

/** A rating; times are epoch ms. */
export interface RatedVisit {
  key: string;
  visit: number;
  phase: string;
  at: number;
  /** Ids of the pull requests that the phase had when it was rated. */
  prs: readonly string[];
}

/** Events of a job that show how its phases turned out; lists are in chronological order. */
export interface JobPast {
  visits: readonly { visit: number; phase: string; startedAt: number; approved: boolean }[];
  states: readonly StateFrame[];
  requested: readonly { prId: string; at: number }[];
  merges: readonly { prId: string; at: number; revertedAt: number | null }[];
}

type FoundOutcome = { key: string; outcome: DecisionOutcome };

const createBadOutcome = (why: DecisionOutcome['why']): DecisionOutcome => ({
  verdict: 'bad',
  why,
});
const createGoodOutcome = (why: DecisionOutcome['why']): DecisionOutcome => ({
  verdict: 'good',
  why,
});

/** The first in this order counts: bad outweighs good, later harm outweighs earlier harm. */
const RANKS: readonly DecisionOutcome['why'][] = [
  'reverted',
  'changes-requested',
  'rerun',
  'rejected',
  'message',
  'escalated',
  'failed',
  'merged',
  'approved',
];

/**
 * Outcomes of rated phases, by key of the rating, from what people did afterwards. A rating that
 * no one acted on has no outcome; neither has a dismissed flag.
 */
export function deriveOutcomes(
  ratings: readonly RatedVisit[],
  past: JobPast,
): Map<string, DecisionOutcome> {
  const outcomes = new Map<string, DecisionOutcome>();
  const foundOutcomes = [
    ...findApprovalOutcomes(ratings, past),
    ...findCommandOutcomes(ratings, past),
    ...findReviewOutcomes(ratings, past),
  ];
  for (const { key, outcome } of foundOutcomes) {
    const earlierOutcome = outcomes.get(key);
    if (!earlierOutcome || RANKS.indexOf(outcome.why) < RANKS.indexOf(earlierOutcome.why))
      outcomes.set(key, outcome);
  }
  return outcomes;
}

const findApprovalOutcomes = (
  ratings: readonly RatedVisit[],
  { visits }: JobPast,
): FoundOutcome[] =>
  ratings.flatMap(({ key, visit }) =>
    visits.some((one) => one.visit === visit && one.approved)
      ? [{ key, outcome: createGoodOutcome('approved') }]
      : [],
  );

/** The newest matching rating before a time. */
const findNewestRating = (
  ratings: readonly RatedVisit[],
  at: number,
  fits: (rating: RatedVisit) => boolean,
): RatedVisit | undefined => ratings.findLast((rating) => rating.at <= at && fits(rating));

/** Outcomes from commands of people and from the end of the job, state by state. */
function findCommandOutcomes(
  ratings: readonly RatedVisit[],
  { visits, states }: JobPast,
): FoundOutcome[] {
  return states.flatMap((frame, n): FoundOutcome[] => {
    const before = states[n - 1];
    const at = Date.parse(frame.at);
    const of = (visitRating: RatedVisit | undefined, outcome: DecisionOutcome): FoundOutcome[] =>
      visitRating ? [{ key: visitRating.key, outcome }] : [];
    const here = findNewestRating(
      ratings,
      at,
      ({ visit }) => visit === (before?.visit ?? frame.visit),
    );
    if (frame.event === 'job.rerun') {
      const again = visits.find(({ startedAt }) => startedAt >= at)?.phase;
      return of(
        findNewestRating(ratings, at, ({ phase }) => phase === again),
        createBadOutcome('rerun'),
      );
    }
    const parkKind = before?.parked?.kind;
    const isApproved = visits.some(({ visit, approved }) => visit === before?.visit && approved);
    if (frame.event === 'job.resume' && parkKind === 'approval' && !isApproved)
      return of(here, createBadOutcome('rejected'));
    if (frame.event === 'job.message' && (parkKind === 'approval' || parkKind === 'flagged'))
      return of(here, createBadOutcome('message'));
    if (frame.ended && (frame.status === 'escalated' || frame.status === 'failed'))
      return of(here, createBadOutcome(frame.status));
    return [];
  });
}

/** Outcomes of pull requests; they count for the phase that opened them. */
function findReviewOutcomes(
  ratings: readonly RatedVisit[],
  { requested, merges }: JobPast,
): FoundOutcome[] {
  const about = (prId: string, at: number, outcome: DecisionOutcome): FoundOutcome[] => {
    const ratedVisit = ratings.find(({ prs }) => prs.includes(prId));
    const newestRating = findNewestRating(
      ratings,
      at,
      ({ phase, prs }) => phase === ratedVisit?.phase && prs.includes(prId),
    );
    return newestRating ? [{ key: newestRating.key, outcome }] : [];
  };
  return [
    ...requested.flatMap(({ prId, at }) => about(prId, at, createBadOutcome('changes-requested'))),
    ...merges.flatMap(({ prId, at, revertedAt }) =>
      revertedAt !== null && revertedAt - at <= REVERTED_WITHIN_DAYS * DAY_MS
        ? about(prId, at, createBadOutcome('reverted'))
        : about(prId, at, createGoodOutcome('merged')),
    ),
  ];
}
