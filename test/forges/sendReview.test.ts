import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Forge, ForgeChange, ReviewPart } from '../../src/contract/forge/forge.ts';
import type { RowReader } from '../../src/contract/records/rowReader.ts';
import { SvcError } from '../../src/base/errors/errors.ts';
import { GIVE_UP_AFTER_MS, sendReview } from '../../src/forges/reviews/sendReview.ts';
import type { ReviewOutcome, ReviewRow } from '../../src/forges/reviews/reviewRows.ts';
import { splitIntoReviewParts, toOneReviewPart } from '../../src/providers/rest/reviewing.ts';
import { remark } from '../support/forges/reviewOf.ts';

const test = suite('sending a review');

const comments = [remark({ body: 'one' }), remark({ body: 'two' }), remark({ body: 'three' })];
const queued = { path: 'feature.txt', line: 1, state: 'queued', reason: null } as const;

/** A review of three comments, the second of which has no place, and a request for changes. */
function stage(
  reviewParts: Forge['reviewParts'],
  write: (part: ReviewPart, operationId: string) => Record<string, unknown> | SvcError,
) {
  const outcome: ReviewOutcome = {
    given: { state: 'queued', reason: null, url: null },
    text: 'queued',
    comments: [queued, { ...queued, state: 'rejected', reason: 'no place' }, queued],
    placed: [0, 2],
  };
  const row: ReviewRow = {
    id: 'r1',
    job_id: 'job-1',
    forge: 'github',
    repo: 'acme/shop',
    number: 1,
    pr_id: 'github:acme/shop#1',
    head: 'a'.repeat(40),
    author: 'ann',
    came: 'token',
    at: 1_000,
    verdict: 'request_changes',
    content: JSON.stringify({ body: 'Look.', comments }),
    state: 'queued',
    problem: null,
    outcome: JSON.stringify(outcome),
  };
  let now = 2_000;
  const sent: string[] = [];
  const port = sendReview({
    rows: { one: () => row } as Partial<RowReader> as RowReader,
    forge: () => ({ reviewParts }) as Partial<Forge> as Forge,
    async write(_forge, part, { operationId }): Promise<ForgeChange> {
      const answer = write(part, operationId);
      if (answer instanceof SvcError) throw answer;
      sent.push(operationId);
      return { pr: null, result: answer, rows: [], events: [] };
    },
    commit: async () => {},
    now: () => now,
    screen: (text) => text.replaceAll('secret', '***'),
  });
  const run = async (attempt = 1) => {
    const outcome = await port(
      { reviewId: 'r1', attempt },
      {
        effectId: 'review.r1/1/0',
        actorId: 'review.r1',
        attempt: 1,
        recovered: false,
        signal: new AbortController().signal,
      },
    );
    const [event] = outcome?.events ?? [];
    const set: Partial<ReviewRow> = Object(Object(outcome?.rows?.at(-1)).set);
    return {
      event,
      state: set.state,
      problem: set.problem,
      after: JSON.parse(set.outcome ?? '{}'),
    };
  };
  const wait = (ms: number): void => {
    now += ms;
  };
  return { run, sent, wait };
}
const states = ({ given, text, comments: all }: ReviewOutcome) => [
  given.state,
  text,
  ...all.map(({ state }) => state),
];

test('what has no place is not sent, and the rest is', async () => {
  const bodies: string[] = [];
  const { run } = stage(toOneReviewPart, (part) => {
    if (part.operation === 'review_pr') bodies.push(...part.args.comments.map(({ body }) => body));
    return {};
  });
  const { state, after, event } = await run();
  assert.equal(bodies, ['one', 'three']);
  assert.is(state, 'partly');
  assert.equal(states(after), ['sent', 'sent', 'sent', 'rejected', 'sent']);
  assert.match(String(event?.line), /2 of 3 comments, decision sent$/);
});

test('a review that is refused as a whole goes comment by comment, and the refused one is named', async () => {
  const { run, sent } = stage(toOneReviewPart, (part) => {
    if (part.operation !== 'review_pr') return {};
    const hasBad = part.args.comments.some(({ body }) => body === 'three');
    return hasBad ? new SvcError('bad-argument', 'the line of the secret is unknown') : {};
  });
  const { state, after } = await run();
  assert.equal(sent, ['review:r1/c0', 'review:r1/rest']);
  assert.equal(states(after), ['sent', 'sent', 'sent', 'rejected', 'rejected']);
  assert.is(after.comments[2].reason, 'the line of the *** is unknown');
  assert.is(state, 'partly');
});

test('what a forge says of its parts is kept: comments that it did not take, and a refused verdict', async () => {
  const { run } = stage(toOneReviewPart, () => ({
    rejected: [{ index: 1, reason: 'no such line' }],
    verdict: 'new commits',
  }));
  const { after } = await run();
  assert.equal(states(after), ['rejected', 'sent', 'sent', 'rejected', 'rejected']);
  assert.equal([after.comments[2].reason, after.given.reason], ['no such line', 'new commits']);
});

test('an unknown outcome is shown and not repeated, and the parts after it are sent', async () => {
  const { run, sent } = stage(splitIntoReviewParts, (_part, id) =>
    id.endsWith('/c0') ? new SvcError('undecided', 'unknown whether it was done') : {},
  );
  const { state, after } = await run();
  assert.equal(sent, ['review:r1/c1', 'review:r1/body', 'review:r1/verdict']);
  assert.equal(states(after), ['sent', 'sent', 'undecided', 'rejected', 'sent']);
  assert.is(state, 'partly');
});

test('a forge that cannot be reached is asked again, later each time, and given up after a day', async () => {
  const away = new SvcError('unreachable', 'github does not answer');
  const { run, wait } = stage(toOneReviewPart, () => away);
  const waits = [];
  for (const attempt of [1, 2, 3, 20]) {
    const { event, state, problem } = await run(attempt);
    assert.equal([event?.type, state, problem], ['review.postponed', 'queued', away.message]);
    waits.push(Number(event?.until) - 2_000);
  }
  assert.equal(waits, [30_000, 60_000, 120_000, 900_000]);
  wait(GIVE_UP_AFTER_MS);
  const last = await run(99);
  assert.equal(
    [last.event?.type, last.state, last.problem],
    ['review.sent', 'failed', away.message],
  );
  assert.equal(states(last.after), ['rejected', 'rejected', 'rejected', 'rejected', 'rejected']);
});

test('a limit is waited for as long as the forge says', async () => {
  const limited = new SvcError('rate-limited', 'no more', {
    data: { resetsAt: new Date(500_000).toISOString() },
  });
  const { event } = await stage(toOneReviewPart, () => limited).run();
  assert.is(event?.until, 500_000);
});

test.run();
