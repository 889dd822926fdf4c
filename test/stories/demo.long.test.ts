import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { FAKE_AGENT } from '../support/agents/builtAcpAgent.ts';
import { COMPLETE, demo } from '../support/demo.ts';

const test = suite('stories: the demo, with each agent');

test('begun with a chat that can only read it ends the same way', () => {
  assert.equal(demo('--plan'), { ...COMPLETE, restarts: 0 });
});

test('our own agent does the same over either wire, also when the runner is killed in the middle of a session (JOB-2)', () => {
  assert.equal(demo('--agent', 'builtin'), { ...COMPLETE, restarts: 0 });
  assert.equal(demo('--agent', 'builtin:openai', '--crash'), { ...COMPLETE, restarts: 1 });
});

test('an agent that speaks the Agent Client Protocol does the same in a process of its own, although the runner is killed (JOB-2)', () => {
  const agent = [
    '--agent',
    'acp:custom',
    '--program',
    FAKE_AGENT.map((word) => `"${word}"`).join(' '),
  ];
  assert.equal(demo(...agent, '--crash'), { ...COMPLETE, restarts: 1 });
});

const CAMPAIGNS = [
  {
    policy: 'halt-on-failure',
    status: 'complete',
    phases: ['planning', 'awaiting-sub-runs', 'aggregating'],
    subRuns: {
      words: 'complete',
      count: 'complete',
      longest: 'complete',
      report: 'complete',
      usage: 'skipped',
    },
    attempts: 6,
    prs: 4,
    merges: 4,
    insights: 3,
    contractDrift: 1,
  },
  {
    policy: 'continue',
    status: 'complete',
    phases: ['awaiting-sub-runs', 'aggregating'],
    subRuns: { lines: 'complete', rhymes: 'escalated', poem: 'skipped' },
    attempts: 3,
    prs: 1,
    merges: 1,
    insights: 0,
    contractDrift: 0,
  },
];

test('killed in the middle of one of them, both end the same way (SUB-7)', () => {
  assert.equal(demo('--campaign', '--crash'), { campaigns: CAMPAIGNS, restarts: 1 });
});

test.run();
