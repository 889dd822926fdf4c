import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { formatStepOutputs, formatStepSummary } from '../../../../cli/local/run/writeStepFiles.ts';
import { formatRunEnd } from '../../../../cli/render/job/formatRunEnd.ts';
import type { Job } from '../../../../src/contract/schema/job/job.ts';
import { aJob } from '../../../support/http/aJob.ts';

const test = suite('svc run: summary');

const PR: Job['prMappings'][number] = {
  prId: 'github:acme/shop#7',
  forge: 'github',
  repo: 'acme/shop',
  number: 7,
  title: 'Fix <img src=x> | [click](http://evil.example)',
  head: 'fix',
  base: 'main',
  url: 'https://github.com/acme/shop/pull/7',
  state: 'open',
  workItem: null,
  mergedAt: null,
};
const JOB = aJob({
  id: 'shop-job-1',
  status: 'awaiting-pr-merge',
  workflowPath: 'workflows/job.md',
  ended: false,
  reason: 'waits for `x`\n## not a heading',
  prMappings: [PR],
  phases: [
    {
      visit: 1,
      status: 'coding',
      sessions: 1,
      overlayHash: null,
      approvedBy: null,
      phase: 'coding',
      startedAt: '2026-01-01T00:00:00.000Z',
      endedAt: '2026-01-01T00:01:30.000Z',
      outcome: 'await_event',
    },
  ],
  cost: { usd: 0.25, unpriced: 0, tokens: 10, unreported: 0 },
});
const END = { job: JOB, outcome: 'waiting', exitCode: 7, kept: null } as const;

test('a summary names outcome, phases, pull requests and cost', () => {
  const text = formatStepSummary(END);
  assert.match(text, '## svc: waiting (exit code 7)');
  assert.match(text, '| coding | 90 s | await&#95;event |');
  assert.match(text, '](https://github.com/acme/shop/pull/7): open');
  assert.match(text, 'Cost: $0.250.');
});

test('texts of others stay plain text', () => {
  const text = formatStepSummary(END);
  assert.not.match(text, '<img');
  assert.not.match(text, '](http://evil.example)');
  assert.not.match(text, '\n## not');
});

test('an address that is none of the web is no link', () => {
  const job = { ...JOB, prMappings: [{ ...PR, url: 'javascript:alert(1)' }] };
  assert.not.match(formatStepSummary({ ...END, job }), 'javascript:');
});

test('outputs are one line each', () => {
  assert.is(
    formatStepOutputs(END),
    'job=shop-job-1\noutcome=waiting\nexit-code=7\npull-request=https://github.com/acme/shop/pull/7\nkept=false\n',
  );
});

test('a job that is not kept says what is lost and how to keep it', () => {
  assert.match(formatRunEnd(END), 'To keep them, give --keep <dir>');
  assert.match(formatRunEnd({ ...END, kept: '/k' }), 'svc run --resume /k');
});

test.run();
