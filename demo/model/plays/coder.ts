import { toStringOrEmpty } from '../../../src/base/json/untrusted.ts';
import type { Play } from '../script.ts';
import {
  readAnswerComments,
  commitChanges,
  switchToBranch,
  type PlayPart,
  readAnswerPullRequest,
  runTests,
  callSvcTool,
  fetchWorkItems,
} from './steps.ts';

const BRANCH = 'fix/slugify';
const SOURCE = 'src/slugify.js';
const TESTS = 'test/slugify.test.js';
const TITLE = 'Keep accented characters in slugs';

const FIXED = `/** A title as the last part of a URL: lower case, words joined by dashes. */
export const slugify = (title) =>
  title
    .normalize('NFKD')
    .replace(/\\p{Diacritic}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
`;

const MORE_TESTED = `import assert from 'node:assert/strict';
import test from 'node:test';
import { slugify } from '../src/slugify.js';

test('words are joined by dashes', () => {
  assert.equal(slugify('Hello, World!'), 'hello-world');
});

test('accented characters are kept', () => {
  assert.equal(slugify('Crème brûlée'), 'creme-brulee');
});

test('nothing but dashes and spaces gives an empty slug', () => {
  assert.equal(slugify(' -- '), '');
});
`;

/** Reads a file before rewriting it: agents must have read what they overwrite. */
function* ensure(path: string, holds: string, content: string): PlayPart<void> {
  const { text: before } = yield { read: path };
  if (!before.includes(holds)) yield { write: path, content };
}

function* answerReview(number: number): PlayPart<string | null> {
  const comments = readAnswerComments(
    (yield callSvcTool('local_get_pr_comments', { number })).text,
  );
  const comment = comments.find(
    ({ author, inReplyTo }) => author === 'reviewer' && inReplyTo === null,
  );
  if (!comment || comments.some(({ inReplyTo }) => inReplyTo === comment.id)) return null;
  yield* ensure(TESTS, 'nothing but dashes', MORE_TESTED);
  if (!(yield* runTests()).passed) return 'The case that the reviewer asked for does not pass.';
  yield* commitChanges('Test a title of dashes and spaces');
  yield callSvcTool('local_create_pr', { head: BRANCH, title: TITLE });
  yield callSvcTool('local_reply_to_comment', {
    number,
    commentId: toStringOrEmpty(comment.id),
    body: 'Added the case; it passes.',
  });
  return null;
}

/**
 * Coding: fixes the current work item on a branch, opens a pull request and waits for it; does what
 * reviewers ask for.
 */
export const playCoder: Play = function* () {
  const items = yield* fetchWorkItems();
  const item =
    items.find(({ status }) => status === 'in-progress') ??
    items.find(({ status }) => status === 'pending');
  if (!item) {
    yield callSvcTool('goto_phase', { phase: 'reporting', reason: 'no work item is left' });
    return 'No work item is left.';
  }
  yield callSvcTool('update_work_item', { id: item.id, status: 'in-progress' });
  yield* switchToBranch(BRANCH);
  yield* ensure(SOURCE, 'normalize', FIXED);
  const tests = yield* runTests();
  if (!tests.passed) {
    yield callSvcTool('escalate', {
      message: `The tests still fail after the change: ${tests.failed.join('; ')}`,
    });
    return 'The change does not help.';
  }
  yield* commitChanges(TITLE);
  const body = 'Accents are taken off first, so that the letter stays. All tests pass.';
  const toolAnswer = yield callSvcTool('local_create_pr', { head: BRANCH, title: TITLE, body });
  const pr = readAnswerPullRequest(toolAnswer.text);
  if (!pr) {
    yield callSvcTool('escalate', {
      message: `The pull request could not be opened: ${toolAnswer.text}`,
    });
    return 'There is no pull request.';
  }
  const problem = yield* answerReview(pr.number);
  if (problem !== null) {
    yield callSvcTool('escalate', { message: problem });
    return problem;
  }
  yield callSvcTool('await_event', { prId: pr.prId });
  return `${pr.prId} waits for its review.`;
};
