import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

const test = suite('stories: the demo');

const demo = (...flags: string[]): Record<string, unknown> => {
  const done = spawnSync(process.execPath, [join(import.meta.dirname, '../../dist/demo/index.js'), '--json', ...flags], {
    encoding: 'utf8',
  });
  assert.is(done.status, 0, done.stderr);
  const { jobId: _, ms: __, ...outcome } = JSON.parse(done.stdout.trim().split('\n').at(-1) ?? '{}') as Record<string, unknown>;
  return outcome;
};

const COMPLETE = {
  status: 'complete',
  phases: ['planning', 'coding', 'coding', 'testing', 'evaluation', 'reporting'],
  prs: 1,
  merges: 1,
};

test('the default workflow runs from request to complete, with one pull request and one merge (JOB-2 JOB-3 JOB-6 TOOL-6)', () => {
  assert.equal(demo(), { ...COMPLETE, restarts: 0 });
});

test('killed in the middle it ends the same way (RUN-4)', () => {
  assert.equal(demo('--crash'), { ...COMPLETE, restarts: 1 });
});

const FINISHED = {
  status: 'complete',
  phases: ['planning', 'awaiting-sub-runs', 'aggregating'],
  subRuns: { words: 'complete', count: 'complete', longest: 'complete', report: 'complete', usage: 'skipped' },
  attempts: 6,
  prs: 4,
  merges: 4,
  insights: 3,
  contractDrift: 1,
};

test('a campaign of five sub-runs halts at a failure, is decided on, and completes with what they learned (SUB-2 SUB-4 SUB-5 SUB-6)', () => {
  assert.equal(demo('--campaign'), { ...FINISHED, restarts: 0 });
});

test('killed in the middle the campaign ends the same way (SUB-7)', () => {
  assert.equal(demo('--campaign', '--crash'), { ...FINISHED, restarts: 1 });
});

test.run();
