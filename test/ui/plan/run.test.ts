import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Evidence } from '../../../src/contract/schema/planning/evidence.ts';
import type { Investigation } from '../../../src/contract/schema/planning/intake.ts';
import { listWorkflowFields } from '../../../ui/jobs/newJob/newJobRequest.ts';
import { formatAnswers } from '../../../ui/plan/findings/Questions.tsx';
import {
  describeChatCost,
  describeDrift,
  describeChatSpending,
} from '../../../ui/plan/planText.ts';
import { collectRunValues, describeValueSource } from '../../../ui/plan/run/collectRunValues.ts';

const test = suite('the run that a chat leads to');

const fields = listWorkflowFields({
  createParams: { required: ['repo', 'description'], optional: ['reviewers', 'jiraTicketId'] },
});
const RUN = {
  workflowPath: 'workflows/job.md',
  params: { description: 'Fix it', reviewers: ['a', 'b'], jiraTicketId: 'SHOP-1' },
  removed: [{ name: 'autoApprove', reason: 'only-a-person' as const, value: null }],
  repaired: false,
  unreadable: false,
};
const ticket = (trust: Evidence['trust']): Evidence => ({
  id: 'E1',
  turn: 1,
  tool: 'tracker_get_issue',
  target: 'SHOP-1',
  ok: true,
  ms: 1,
  repo: null,
  commit: null,
  path: null,
  fromLine: null,
  toLine: null,
  sha256: '',
  trust,
  cited: false,
  chars: 1,
  round: 1,
  answerAt: 0,
  thinkingAt: 0,
});
type Read = Pick<Investigation, 'title' | 'repo' | 'outside' | 'evidence'>;
const READ: Read = { title: 'Why?', repo: 'titles', outside: [], evidence: [] };
const values = (more: Partial<Read>, typed: Record<string, string> = {}) =>
  collectRunValues({
    fields,
    run: RUN,
    typed,
    investigation: { ...READ, ...more },
    onlyRepo: null,
  });

test('values of the model say that they are from the model', () => {
  assert.equal(values({})['description'], { text: 'Fix it', source: { kind: 'model' } });
});

test('a list is shown as names', () => {
  assert.is(values({})['reviewers']?.text, 'a, b');
});

test('what a person has typed counts, and is from you', () => {
  assert.equal(values({}, { description: 'Mine' })['description'], {
    text: 'Mine',
    source: { kind: 'you' },
  });
});

test('a value that a person has emptied stays empty', () => {
  assert.equal(values({}, { description: '' })['description'], { text: '', source: null });
});

test('the repository of the chat is filled in', () => {
  assert.equal(values({})['repoSlug'], { text: 'titles', source: { kind: 'chat' } });
});

test('a repository of the model that was taken out is replaced by no other (PLN-5)', () => {
  const removed = [{ name: 'repoSlug', reason: 'unknown-repository' as const, value: 'evil/shop' }];
  const values = collectRunValues({
    fields,
    run: { ...RUN, removed },
    typed: {},
    investigation: READ,
    onlyRepo: 'titles',
  });
  assert.equal(values['repoSlug'], { text: '', source: null });
});

test('a ticket of the team that was looked up is the source of its key', () => {
  assert.equal(values({ evidence: [ticket('own')] })['jiraTicketId']?.source, {
    kind: 'ticket',
    name: 'SHOP-1',
  });
});

test('once text from outside was read, every value of the model is marked', () => {
  const { description } = values({ outside: ['SHOP-1'], evidence: [ticket('outside')] });
  assert.equal(description?.source, { kind: 'outside', name: 'SHOP-1' });
  assert.is(
    description?.source && describeValueSource(description.source),
    'from the model, after text from outside: SHOP-1',
  );
});

test('a cost that is not known is not called nothing', () => {
  assert.is(describeChatCost({ usd: null, priced: false }), 'unpriced');
  assert.is(describeChatCost({ usd: 0, priced: true }), '$0');
  assert.is(describeChatCost({ usd: 1.234, priced: true }), '$1.23');
});

test('what a program does not report is unknown, and not nothing', () => {
  const usage = { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0 };
  const cost = { usd: null, priced: false };
  assert.is(
    describeChatSpending({ turns: 1, lookups: 2, usage, contextTokens: null, cost }),
    '1 turn, 2 look-ups, tokens unknown, context unknown, unpriced',
  );
});

test('what is known is counted', () => {
  const usage = { inputTokens: 900, outputTokens: 80, cachedInputTokens: 0 };
  const cost = { usd: 0, priced: true };
  assert.is(
    describeChatSpending({ turns: 2, lookups: 1, usage, contextTokens: 500, cost }),
    '2 turns, 1 look-up, 980 tokens, 500 in context, $0',
  );
});

test('a value of a run that was repaired is marked', () => {
  const source = collectRunValues({
    fields,
    run: { ...RUN, repaired: true },
    typed: {},
    investigation: READ,
    onlyRepo: null,
  })['description']?.source;
  assert.is(source && describeValueSource(source), 'from the model, repaired');
});

test('answers are one message, each below its question; what is not answered is left out', () => {
  const answers = [
    { question: 'Which\ncolour?', answer: ' red ' },
    { question: 'When?', answer: ' ' },
    { question: 'Who?', answer: 'Me' },
  ];
  assert.is(formatAnswers(answers), '> Which\n> colour?\n\nred\n\n> Who?\n\nMe');
});

test('drift says how many commits, and which cited files have changed', () => {
  const pinned = { repo: 'titles', ref: 'main', commit: 'abc', behind: 2, changed: ['a.ts'] };
  assert.is(
    describeDrift({ pinned }),
    'main is 2 commits ahead of what this chat looks at; 1 cited file has changed: a.ts.',
  );
});

test('a chat that looks at the newest commit has no drift', () => {
  const pinned = { repo: 'titles', ref: 'main', commit: 'abc', behind: 0, changed: [] };
  assert.is(describeDrift({ pinned }), null);
});

test.run();
