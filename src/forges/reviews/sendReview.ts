import type { ReviewAnswer, ReviewPorts } from '../../../machines/index.ts';
import type { Forge, ForgeActor, ForgeChange, ReviewPart } from '../../contract/forge/forge.ts';
import type { ReviewWrite } from '../../contract/forge/review.ts';
import type { EffectOutcome, Port } from '../../kernel/port.ts';
import type { RowReader } from '../../contract/records/rowReader.ts';
import { toErrorMessage, SvcError } from '../../base/errors/errors.ts';
import type { Caller } from '../../providers/account/caller.ts';
import { isDecision } from '../../providers/rest/reviewing.ts';
import type { RowChange } from '../../contract/records/changes.ts';
import type { Tables } from '../../contract/records/tables.ts';
import {
  parseReviewContent,
  parseReviewOutcome,
  type ReviewOutcome,
  type ReviewRow,
  summarizeReviewState,
} from './reviewRows.ts';

export interface SendReviewDeps {
  rows: RowReader;
  forge(id: string): Forge | undefined;
  write(forge: Forge, part: ReviewPart, actor: ForgeActor, caller: Caller): Promise<ForgeChange>;
  /** Commits rows; resolves when they are durable. */
  commit(rows: RowChange[]): Promise<void>;
  now(): number;
  screen(text: string): string;
}

/** How long a forge that cannot be reached is asked again, ms; then the review has failed. */
export const GIVE_UP_AFTER_MS = 24 * 3_600_000;
/** Wait before the second attempt, ms; each further one is twice as long, to the longest. */
const FIRST_WAIT_MS = 30_000;
const LONGEST_WAIT_MS = 15 * 60_000;

type State = ReviewOutcome['comments'][number]['state'];

/** Another attempt may succeed: the forge did not answer, or takes no requests now. */
const isPassingForgeError = (error: SvcError): boolean =>
  error.code === 'unreachable' || error.code === 'rate-limited' || error.code === 'stopping';

function toReviewWrite(row: ReviewRow, outcome: ReviewOutcome) {
  const { body, comments } = parseReviewContent(row);
  const { placed: places } = outcome;
  const { repo, number, head } = row;
  const write: ReviewWrite = {
    repo,
    number,
    head,
    body,
    verdict: outcome.given.state === 'elsewhere' ? 'comment' : row.verdict,
    comments: places.flatMap((index) => comments[index] ?? []),
  };
  return { write, places };
}

/** Splits a review that the forge refuses as a whole: each comment, then the rest. */
function splitReviewPart(part: ReviewPart): ReviewPart[] {
  if (part.operation !== 'review_pr') return [];
  const { args, comments, decides } = part;
  const { body, verdict: decision } = args;
  const rest = body !== '' || isDecision(decision);
  if (args.comments.length === 0 || (args.comments.length === 1 && !rest)) return [];
  const each = args.comments.map((comment, at): ReviewPart => {
    const index = comments[at] ?? at;
    const alone: ReviewWrite = { ...args, verdict: 'comment', body: '', comments: [comment] };
    return {
      id: `c${index}`,
      operation: 'review_pr',
      args: alone,
      comments: [index],
      decides: false,
    };
  });
  const whole: ReviewPart = {
    id: 'rest',
    operation: 'review_pr',
    args: { ...args, comments: [] },
    comments: [],
    decides,
  };
  return rest ? [...each, whole] : each;
}

const hasText = (part: ReviewPart): boolean =>
  part.operation === 'review_pr'
    ? part.args.body !== ''
    : part.operation === 'post_pr_comment' && part.comments.length === 0;

function recordPartOutcome(
  outcome: ReviewOutcome,
  { part, places }: { part: ReviewPart; places: readonly number[] },
  [state, reason]: [State, string | null],
): ReviewOutcome {
  const mine = new Set(part.comments.map((index) => places[index]));
  return {
    ...outcome,
    given: part.decides ? { ...outcome.given, state, reason } : outcome.given,
    text: outcome.text !== null && hasText(part) ? state : outcome.text,
    comments: outcome.comments.map((comment, index) =>
      mine.has(index) ? { ...comment, state, reason } : comment,
    ),
  };
}

/** Records the comments that the forge rejected from a review that it took. */
function applyRejectedComments(
  outcome: ReviewOutcome,
  { part, places }: { part: ReviewPart; places: readonly number[] },
  result: Record<string, unknown>,
): ReviewOutcome {
  let now = outcome;
  const rejectedComments: unknown[] = Array.isArray(result.rejected) ? result.rejected : [];
  for (const one of rejectedComments) {
    const { index, reason } = Object(one);
    const comment = typeof index === 'number' ? places[part.comments[index] ?? -1] : undefined;
    now = {
      ...now,
      text: index === null ? 'rejected' : now.text,
      comments: now.comments.map((was, at) =>
        at === comment ? { ...was, state: 'rejected', reason: String(reason) } : was,
      ),
    };
  }
  const decision = typeof result.verdict === 'string' && part.decides ? result.verdict : null;
  const isRefused = Array.isArray(result.rejected) && decision !== null;
  return isRefused ? { ...now, given: { ...now.given, state: 'rejected', reason: decision } } : now;
}

function describeSentReview(
  { pr_id: prId, author, forge }: ReviewRow,
  outcome: ReviewOutcome,
): string {
  const sentCount = outcome.comments.filter(({ state }) => state === 'sent').length;
  const all = outcome.comments.length;
  const comments = all === 0 ? '' : `, ${sentCount} of ${all} comments`;
  const { state } = outcome.given;
  const decision = state === 'none' ? '' : `, decision ${state}`;
  return `the review of ${prId} by ${author} is at ${forge}${comments}${decision}`;
}

/**
 * `review.send`: sends a review in parts as large as its forge takes. Each part is a separate entry
 * in the log of writes, so after a crash the sent parts are found and not sent again. A refused
 * part does not keep the others back.
 */
export const sendReview =
  (deps: SendReviewDeps): Port<ReviewPorts['review.send'], Tables> =>
  async ({ reviewId, attempt }, { signal }): Promise<EffectOutcome<Tables>> => {
    const { rows, now, screen } = deps;
    const row = rows.one('reviews', { id: reviewId });
    if (!row) throw new Error(`the review ${reviewId} has no row`);
    const forge = deps.forge(row.forge);
    const patch = (outcome: ReviewOutcome, set: Pick<ReviewRow, 'state' | 'problem'>) => [
      {
        op: 'patch' as const,
        table: 'reviews' as const,
        key: { id: reviewId },
        set: { ...set, outcome: JSON.stringify(outcome) },
      },
    ];
    const answer = (event: ReviewAnswer, changes: RowChange[]) => ({
      events: [event],
      rows: changes,
    });
    const start = parseReviewOutcome(row);
    const answerFailure = (outcome: ReviewOutcome, problem: string) =>
      answer(
        { type: 'review.sent', line: `the review of ${row.pr_id} was not sent: ${problem}` },
        patch(outcome, { state: summarizeReviewState(outcome), problem }),
      );
    if (!forge) return answerFailure(start, `${row.forge} is no longer configured`);

    const { write, places } = toReviewWrite(row, start);
    const caller: Caller = { jobId: row.job_id, phase: 'review', signal };
    const parts = forge.reviewParts(write);
    let outcome = start;
    for (let part = parts.shift(); part !== undefined; part = parts.shift()) {
      const actor: ForgeActor = {
        author: row.author,
        at: row.at,
        operationId: `review:${reviewId}/${part.id}`,
      };
      const place = { part, places };
      try {
        const change = await deps.write(forge, part, actor, caller);
        outcome = applyRejectedComments(
          recordPartOutcome(outcome, place, ['sent', null]),
          place,
          change.result,
        );
        await deps.commit([...change.rows, ...patch(outcome, { state: 'queued', problem: null })]);
      } catch (error) {
        if (!(error instanceof SvcError) || signal.aborted) throw error;
        const why = screen(toErrorMessage(error));
        if (isPassingForgeError(error)) {
          if (now() - row.at >= GIVE_UP_AFTER_MS)
            return answerFailure(rejectQueuedParts(outcome, why), why);
          const until = computeReviewRetryTime(error, attempt, now());
          return answer(
            { type: 'review.postponed', until },
            patch(outcome, { state: 'queued', problem: why }),
          );
        }
        const pieces = error.code === 'bad-argument' ? splitReviewPart(part) : [];
        parts.unshift(...pieces);
        if (pieces.length === 0)
          outcome = recordPartOutcome(outcome, place, [
            error.code === 'undecided' ? 'undecided' : 'rejected',
            why,
          ]);
      }
    }
    return answer(
      { type: 'review.sent', line: describeSentReview(row, outcome) },
      patch(outcome, { state: summarizeReviewState(outcome), problem: null }),
    );
  };

const rejectQueuedParts = (outcome: ReviewOutcome, reason: string): ReviewOutcome => {
  const toEnded = <T extends { state: string; reason: string | null }>(one: T): T =>
    one.state === 'queued' ? { ...one, state: 'rejected', reason } : one;
  return {
    ...outcome,
    given: toEnded(outcome.given),
    text: outcome.text === 'queued' ? 'rejected' : outcome.text,
    comments: outcome.comments.map(toEnded),
  };
};

/** When to try again, epoch ms: at the end of the forge's limit, else later with each attempt. */
function computeReviewRetryTime(error: SvcError, attempt: number, now: number): number {
  const resetsAt = Date.parse(String(error.data.resetsAt));
  const wait = Math.min(FIRST_WAIT_MS * 2 ** (attempt - 1), LONGEST_WAIT_MS);
  return Number.isFinite(resetsAt) ? Math.max(resetsAt, now) : now + wait;
}
