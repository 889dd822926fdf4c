// Coding: fixes the current work item on a branch, opens a pull request and waits for it; does what
// reviewers ask for.
import { readFileSync, writeFileSync } from 'node:fs';
import { git, onBase, runTests, tool } from './svc.mjs';

const BRANCH = 'fix/slugify';
const SOURCE = 'src/slugify.js';
const TESTS = 'test/slugify.test.js';

const { items } = tool('get_work_items');
const item =
  items.find(({ status }) => status === 'in-progress') ??
  items.find(({ status }) => status === 'pending');
if (!item) {
  tool('goto_phase', { phase: 'reporting', reason: 'no work item is left' });
  process.exit(0);
}
tool('update_work_item', { id: item.id, status: 'in-progress' });

// A session may start again after a crash: existing work is kept.
const branches = git('branch', '--list', BRANCH);
if (branches === '') {
  onBase();
  git('switch', '--quiet', '-c', BRANCH);
} else {
  git('switch', '--quiet', BRANCH);
}

const commit = (message) => {
  git('add', '--all');
  if (git('status', '--porcelain') !== '') git('commit', '--quiet', '-m', message);
};

const source = readFileSync(SOURCE, 'utf8');
if (!source.includes('normalize')) {
  writeFileSync(
    SOURCE,
    source.replace(
      '.toLowerCase()',
      ".normalize('NFKD')\n    .replace(/\\p{Diacritic}/gu, '')\n    .toLowerCase()",
    ),
  );
}
const tests = runTests();
if (!tests.passed) {
  tool('escalate', {
    message: `The tests still fail after the change: ${tests.failed.join('; ')}`,
  });
  process.exit(0);
}
commit('Keep accented characters in slugs');

const pr = tool('local_create_pr', {
  head: BRANCH,
  title: 'Keep accented characters in slugs',
  body: 'Accents are taken off first, so that the letter stays. All tests pass.',
});
console.log(`pull request ${pr.prId}`);

const { comments } = tool('local_get_pr_comments', { number: pr.number });
const asked = comments.find(({ inReplyTo }) => inReplyTo === null);
const answered = comments.some(({ inReplyTo }) => asked && inReplyTo === asked.id);
if (asked && !answered) {
  console.log(`the reviewer asks: ${asked.body}`);
  const before = readFileSync(TESTS, 'utf8');
  if (!before.includes('nothing but dashes')) {
    writeFileSync(
      TESTS,
      `${before}\ntest('nothing but dashes and spaces gives an empty slug', () => {\n  assert.equal(slugify(' -- '), '');\n});\n`,
    );
  }
  if (!runTests().passed) {
    tool('escalate', { message: 'The case that the reviewer asked for does not pass.' });
    process.exit(0);
  }
  commit('Test a title of dashes and spaces');
  tool('local_create_pr', { head: BRANCH, title: 'Keep accented characters in slugs' });
  tool('local_reply_to_comment', {
    number: pr.number,
    commentId: asked.id,
    body: 'Added the case; it passes.',
  });
}

tool('await_event', { prId: pr.prId });
