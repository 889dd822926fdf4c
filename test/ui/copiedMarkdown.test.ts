import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { formatJobMarkdown } from '../../ui/jobs/page/formatJobMarkdown.ts';
import { formatReviewMarkdown } from '../../ui/jobs/changes/formatReviewMarkdown.ts';
import { formatReportMarkdown } from '../../ui/report/formatReportMarkdown.ts';
import { escapeMarkdown, toMarkdownCode } from '../../ui/shell/markdown/writeMarkdown.ts';
import { summary } from '../support/summaries.ts';

const test = suite('dashboard: jobs and reports as Markdown');

const PAGE = 'http://127.0.0.1:7777/dashboard/';

test('a title cannot make a link, a heading or a second line', () => {
  assert.is(escapeMarkdown('# [a](b)\n`c`'), '\\# \\[a\\](b) \\`c\\`');
});

test('no line of an output can close its fence', () => {
  assert.equal(toMarkdownCode(['a ```` b']).split('\n'), ['`````', 'a ```` b', '`````']);
});

test('a failed job names its state, reason, last output and pull requests, and links to its page (UI-1)', () => {
  const job = {
    ...summary('j1', { status: 'failed', ended: true, description: 'Upgrade *react*' }),
    escalationMessage: 'npm ended with exit code 1.',
    lastOutput: { phase: 'coding', visit: 1, lines: [{ number: 7, text: 'error: peer react' }] },
    prMappings: [
      { repo: 'shop', number: 2, title: 'Upgrade', url: 'http://forge/2', state: 'open' as const },
    ],
  };
  const text = formatJobMarkdown(job, ['Waits for nothing.'], PAGE);
  assert.equal(text.split('\n\n'), [
    `**[Upgrade \\*react\\*](${PAGE}#/jobs/j1)**`,
    'Failed · phase coding · shop',
    'npm ended with exit code 1.',
    '- Waits for nothing.',
    '```\nerror: peer react\n```',
    '- [shop\\#2 Upgrade](http://forge/2), open\n',
  ]);
});

test('a report has the numbers and a linked line for each job', () => {
  const row = { jobId: 'j1', title: 'Fix it', since: '2026-01-01T00:00:00.000Z' };
  const report = {
    since: '2026-01-01T00:00:00.000Z',
    until: '2026-01-02T00:00:00.000Z',
    jobs: { complete: 3, partial: 0, failed: 1, cancelled: 0, working: 2, queued: 0, waiting: 1 },
    needs: { me: 1, decide: 0, review: 0, broken: 1, snoozed: 0, proposals: 0 },
    failures: { failed: 1, subRuns: 0, escalated: 0 },
    cost: { usd: null, calls: 0, unpriced: 0 },
    approvals: [],
    reviews: [],
    stops: [{ ...row, why: 'failed' as const, reason: 'It broke.\nstack' }],
    finished: [{ ...row, jobId: 'j2', title: '', outcome: 'complete' as const }],
  };
  const text = formatReportMarkdown(report, PAGE);
  assert.match(text, /Needs a person: 1 broken\./);
  assert.match(text, /3 complete, .*1 failed/);
  assert.ok(text.includes(`- [Fix it](${PAGE}#/jobs/j1): Failed. It broke.`));
  assert.ok(text.includes(`- [j2](${PAGE}#/jobs/j2): complete`));
  assert.not.ok(text.includes('Approvals'));
});

test('a review has its facts, its threads by line, and quotes what people wrote (UI-1)', () => {
  const comment = (id: string, body: string) => ({
    id,
    author: 'ana',
    body,
    at: '2026-01-01T00:00:00.000Z',
    inReplyTo: null,
  });
  const text = formatReviewMarkdown(
    {
      repo: 'shop',
      number: 2,
      title: 'Upgrade',
      state: 'open',
      checks: [],
      checksState: { state: 'none', reason: '' },
      approvals: [],
      headApprovals: [],
      svcApprovals: [],
      thread: [comment('1', 'Why\nnot 9?'), comment('2', 'All good')],
      reviewThreads: [{ id: 't', path: 'a.js', line: 3, resolved: true, commentIds: ['1'] }],
    },
    '#/jobs/j1/changes',
    PAGE,
  );
  assert.equal(text.split('\n\n'), [
    `**[shop\\#2 Upgrade](${PAGE}#/jobs/j1/changes)**`,
    'open · checks: none reported · approvals: none',
    '**a.js:3** (resolved)',
    'ana:',
    '> Why\n> not 9?',
    'ana:',
    '> All good\n',
  ]);
});

test.run();
