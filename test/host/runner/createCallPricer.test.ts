import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Executor } from '../../../src/contract/session/executor.ts';
import { createAcpExecutor } from '../../../src/executors/acp/createAcpExecutor.ts';
import { createCommandExecutor } from '../../../src/executors/command/createCommandExecutor.ts';
import { systemClock as clock } from '../../../src/base/time/clock.ts';
import { openBuiltInExecutors } from '../../../src/plugins/builtInExecutors.ts';
import { createCallPricer } from '../../../src/host/runner/core.ts';
import { JOB_WORKFLOW } from '../../support/charts/jobSteps.ts';

const test = suite('how calls of a phase are reported');

const [phase] = JOB_WORKFLOW.phases;
const priceCalls = (provider: string, executors: readonly Executor[]) => {
  if (!phase) throw new Error('the workflow has a phase');
  const { reportsUsage, stopsBetweenCalls } = createCallPricer({
    settings: { llm: { defaultProvider: provider, aliases: {} }, budgets: BUDGETS },
    executors: () => executors,
    ledger: { price: () => ({ metered: true, microUsd: 1, why: 'table' }) },
  })(phase);
  return [reportsUsage, stopsBetweenCalls];
};
const BUDGETS = {
  caps: {},
  headlessFactor: 1,
  unpriced: { input: 15, output: 75 },
  prices: [],
};

const ROWS: readonly (readonly [provider: string, reports: string, stops: boolean])[] = [
  ['builtin', 'each-call', true],
  ['claude', 'each-call', false],
  ['acp:opencode', 'each-call', false],
  ['acp:gemini', 'each-turn', false],
  ['acp:claude-agent-acp', 'each-turn', false],
  ['acp:codex', 'never', false],
  ['acp:custom', 'never', false],
  ['acp:unheard-of', 'never', false],
  ['command', 'never', false],
  ['not-installed', 'never', false],
];
for (const [provider, reports, stops] of ROWS)
  test(`${provider} reports ${reports}${stops ? ' and stops between calls' : ''} (JOB-16)`, async () => {
    const executors = await openBuiltInExecutors({ clock, settings: {} });
    assert.equal(priceCalls(provider, executors), [reports, stops]);
  });

test('acp without a preset is the one of its settings', () => {
  const set = (preset: string) =>
    priceCalls('acp', [createAcpExecutor({ clock, config: { preset } })]);
  assert.equal(
    [set('gemini'), set('codex')],
    [
      ['each-turn', false],
      ['never', false],
    ],
  );
});

test('an installed executor counts as its manifest says', () => {
  const one = createCommandExecutor({ clock });
  const capabilities = { ...one.capabilities, reportsUsage: 'each-call' as const };
  assert.equal(priceCalls('mine', [{ ...one, id: 'mine', capabilities }]), ['each-call', false]);
});

test.run();
