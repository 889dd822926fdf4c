import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createWriteGuard, type WriteGuardDeps } from '../../src/news/writes/guardedWrite.ts';
import { sessionGuard } from '../../src/session/sessionGuard.ts';
import { PhaseTools } from '../../src/tools/phaseTools.ts';
import { FakeJobPort } from '../support/http/fakeAgentJob.ts';
import { guardrailStage } from './stage.ts';

/** What stays whatever `guardrails.enabled` says; that it holds is tested where it is made. */
const ROOT = join(import.meta.dirname, '..', '..');

const off = () => guardrailStage([], { enabled: false });

const CONTEXT = {
  id: 'job-1',
  workflowPath: 'workflows/job.md',
  params: {},
  interactive: false,
  phase: 'coding',
  visit: 1,
  session: 1,
  prs: [],
};

test('switched off, a merge that no one has approved is refused (CFG-4)', async () => {
  const { guardrails, rows } = await off();
  const { ask } = createWriteGuard({
    guardrails,
    rows,
    forges: { get: () => undefined } as Partial<
      WriteGuardDeps['forges']
    > as WriteGuardDeps['forges'],
    contextOf: () => CONTEXT as never,
    usdLeft: () => null,
    now: () => 0,
    takesBranches: true,
  });
  const leave = { problem: 'no one but svc has approved it', args: { repo: 'a', number: 1 } };
  const answer = await ask({ jobId: 'job-1', provider: 'local', operation: 'merge_pr', leave });
  assert.is(answer.problem, 'no one but svc has approved it');
});

test('switched off, a secret that svc knows is taken out of what agents write (CFG-4)', async () => {
  const { guardrails } = await off();
  const port = new FakeJobPort();
  const deps = {
    guardrails,
    contextOf: () => CONTEXT as never,
    budgets: { usdLeft: () => null } as never,
    log: async () => {},
  };
  const tools = new PhaseTools(port, [], () => {}, {
    screen: (text) => text.replaceAll('hunter2', '[secret]'),
    guard: sessionGuard(deps, { jobId: 'job-1', phase: 'coding', visit: 1, session: 1 }),
  });
  await tools.call('add_insight', { category: 'pattern', text: 'the word is hunter2' });
  assert.match(JSON.stringify(port.sent), 'the word is [secret]');
});

const reads = (file: string): boolean => /guardrails/i.test(readFileSync(join(ROOT, file), 'utf8'));

for (const [what, files] of Object.entries({
  'an approval': ['machines/job/rules/approval.ts', 'machines/job/rules/checkpoints.ts'],
}))
  test(`switched off, ${what} holds: what keeps it knows nothing of the switch (CFG-4)`, () => {
    assert.equal(files.filter(reads), []);
  });

test.run();
