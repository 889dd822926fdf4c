import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { systemClock } from '../../../src/base/time/clock.ts';
import { askDecider, type DeciderOutcome } from '../../../src/policy/decisions/askDecider.ts';
import { createWireDecider } from '../../../src/policy/decisions/deciders/wireDecider.ts';
import { aQuestion, goodAnswers } from '../../support/decisions/aQuestion.ts';
import {
  BEHAVIOURS,
  type Behaviour,
  openDecisionServer,
} from '../../support/decisions/decisionServer.ts';

const test = suite('asking a decision provider');

const SECRET = 'sk-decision-123456789';
const options = {
  clock: systemClock,
  screen: (text: string) => text.replaceAll(SECRET, '[secret]'),
  signal: new AbortController().signal,
};
/** Long enough for a busy machine; the provider that never answers has less. */
const question = { ...aQuestion, deadlineMs: 20_000 };

const askDeciderWith = async (behave: Behaviour, { deadlineMs = question.deadlineMs } = {}) => {
  await using server = await openDecisionServer(behave);
  const decider = createWireDecider({ baseUrl: server.url, apiKey: SECRET });
  const outcome = await askDecider(decider, { ...question, deadlineMs }, options);
  return { outcome, asked: server.asked };
};

const getSkipReason = (outcome: DeciderOutcome): string =>
  'skipped' in outcome ? outcome.skipped : 'it was rated';

test('an answer is a rating', async () => {
  const { outcome } = await askDeciderWith(BEHAVIOURS.answers);
  assert.equal('answers' in outcome && outcome.answers, goodAnswers);
});

test('the question is one POST to /v1/decisions', async () => {
  const { asked: requests } = await askDeciderWith(BEHAVIOURS.answers);
  assert.equal(
    requests.map(({ path }) => path),
    ['/v1/decisions'],
  );
});

test('the key is a bearer token', async () => {
  const { asked: requests } = await askDeciderWith(BEHAVIOURS.answers);
  assert.is(requests[0]?.headers.authorization, `Bearer ${SECRET}`);
});

test('a repeat of the question has the same Idempotency-Key', async () => {
  const { asked: requests } = await askDeciderWith(BEHAVIOURS.answers);
  assert.is(requests[0]?.headers['idempotency-key'], question.id);
});

test('a reply that cannot be used is a skip, and was paid for', async () => {
  const usage = { inputTokens: 700, outputTokens: 30 };
  const decide = async () => ({ id: question.id, model: 'another', answers: goodAnswers, usage });
  const outcome = await askDecider({ decide }, question, options);
  assert.equal('skipped' in outcome && outcome.usage, usage);
});

test('a member that was not asked for is no skip', async () => {
  const answers = { ...goodAnswers, verdict: 'good' };
  const decide = async () => ({ id: question.id, model: question.model, answers });
  const outcome = await askDecider({ decide }, question, options);
  assert.equal('answers' in outcome && outcome.answers, goodAnswers);
});

for (const [name, says] of [
  ['lies', /wrong format/],
  ['floods', /more than 16 KiB/],
  ['cuts', /./],
  ['redirects', /a redirect to \S+, which is not followed/],
  ['repeatsKeys', /"goal" occurs twice/],
  ['anotherModel', /decision\.model/],
  ['refuses', /answers 401/],
  ['fails', /answers 503/],
] as const) {
  test(`a provider that ${name} is no rating`, async () => {
    assert.match(getSkipReason((await askDeciderWith(BEHAVIOURS[name])).outcome), says);
  });
  test(`a provider that ${name} is asked once`, async () => {
    assert.is((await askDeciderWith(BEHAVIOURS[name])).asked.length, 1);
  });
}

test('a provider that never answers is no rating', async () => {
  const { outcome } = await askDeciderWith(BEHAVIOURS.hangs, { deadlineMs: 50 });
  assert.is(getSkipReason(outcome), 'The provider did not answer within 50 ms.');
});

test('a provider that cannot be reached is no rating', async () => {
  const decider = createWireDecider({ baseUrl: 'http://127.0.0.1:1', apiKey: SECRET });
  assert.match(getSkipReason(await askDecider(decider, question, options)), /ECONNREFUSED/);
});

test('what a decider throws at once is no rating', async () => {
  const decider = {
    decide() {
      throw new Error(`bad key ${SECRET}`);
    },
  };
  assert.is(getSkipReason(await askDecider(decider, question, options)), 'bad key [secret].');
});

test('the stop of the runner ends the wait', async () => {
  const decider = { decide: () => new Promise<never>(() => {}) };
  const signal = AbortSignal.abort();
  assert.match(
    getSkipReason(await askDecider(decider, question, { ...options, signal })),
    /runner stopped/,
  );
});

test.run();
