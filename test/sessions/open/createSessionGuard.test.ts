import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { OwnCall } from '../../../src/contract/session/ownCall.ts';
import type { GuardrailEntry } from '../../../src/contract/schema/policy/guardrail.ts';
import {
  createOwnCallGuard,
  createSessionGuard,
} from '../../../src/sessions/open/createSessionGuard.ts';
import { guardrailStage } from '../../policy/guardrails/stage.ts';

const REF = { jobId: 'job-1', phase: 'coding', visit: 1, session: 1 };
const TOKEN = ['npm', 'a1B2'.repeat(9)].join('_');

const shell = (command: string): OwnCall => ({ tool: 'shell', args: { command }, changes: [] });
const edit = (path: string): OwnCall => ({ tool: 'edit', args: { path }, changes: [path] });

/** A session in /checkout whose calls the rules are asked about. */
async function session(rules: readonly GuardrailEntry[] = []) {
  const stage = await guardrailStage(rules);
  const lines: string[] = [];
  const deps = {
    guardrails: stage.guardrails,
    readContext: () => ({
      id: 'job-1',
      workflowPath: 'workflows/job.md',
      params: {},
      interactive: false,
      admitted: null as never,
    }),
    budgets: { usdLeft: () => null } as never,
    log: async (_at: unknown, entries: readonly { line: string }[]) =>
      void lines.push(...entries.map(({ line }) => line)),
  };
  return {
    ...stage,
    lines,
    own: createOwnCallGuard(deps, REF, '/checkout'),
    ofJob: createSessionGuard(deps, REF),
  };
}

test('a call of the agent’s own shell is refused with the rule and what to do instead (CFG-4)', async () => {
  const { own } = await session();
  assert.match(
    (await own(shell('git push --force origin work'))) ?? '',
    /^shell: nothing was done\. guardrail no-force-push: .*create_pr/,
  );
});

test('a harmless call of the agent’s own shell runs (CFG-4)', async () => {
  const { own } = await session();
  assert.is(await own(shell('git commit -m one')), null);
});

test('an edit of a workflow file waits for a person (CFG-4)', async () => {
  const { own, rows } = await session();
  await own(edit('/checkout/.github/workflows/ci.yml'));
  assert.equal(
    rows.all('guardrail_decisions').map(({ rule, result, moment }) => [rule, result, moment]),
    [['no-workflow-file-change', 'park', 'tool.before']],
  );
});

test('after it waits for a person, no call of the session runs (CFG-4)', async () => {
  const { own } = await session();
  await own(edit('.github/workflows/ci.yml'));
  assert.match((await own(shell('ls'))) ?? '', /this job waits for a person.*End your turn\.$/);
});

test('nor does a call of a tool of the job (CFG-4)', async () => {
  const { own, ofJob } = await session();
  await own(edit('.github/workflows/ci.yml'));
  assert.match((await ofJob('add_insight', {})).refused ?? '', /this job waits for a person/);
});

test('an edit that a person has allowed runs, by whatever path (CFG-4)', async () => {
  const { own, guardrails } = await session();
  await own(edit('.github/workflows/ci.yml'));
  const { id = '' } = guardrails.decisions.findHeldRule('job-1', REF) ?? {};
  await guardrails.decisions.allow('job-1', id, 'token');
  assert.is(await own(edit('/checkout/src/../.github/workflows/ci.yml')), null);
});

test('an edit of another file is not allowed with it (CFG-4)', async () => {
  const { own, guardrails } = await session();
  await own(edit('.github/workflows/ci.yml'));
  const { id = '' } = guardrails.decisions.findHeldRule('job-1', REF) ?? {};
  await guardrails.decisions.allow('job-1', id, 'token');
  assert.match((await own(edit('.github/workflows/b.yml'))) ?? '', /no-workflow-file-change/);
});

test('protected paths hold for edits (CFG-4)', async () => {
  const { own } = await session([{ id: 'protected-paths', paths: ['infra/**'] }]);
  assert.match((await own(edit('infra/main.tf'))) ?? '', /guardrail protected-paths/);
});

test('a file outside of the checkout is named by its whole path (CFG-4)', async () => {
  const { own } = await session([{ id: 'protected-paths', paths: ['etc/*'] }]);
  assert.is(await own(edit('/checkout/../etc/hosts')), null);
});

test('a command that holds a token is refused, because svc cannot take it out (CFG-4)', async () => {
  const { own } = await session();
  assert.match((await own(shell(`curl -H ${TOKEN} x`))) ?? '', /no-secret-in-output/);
});

test('a call whose token is taken out tells the agent so, and what to write instead (CFG-4)', async () => {
  const { ofJob } = await session();
  assert.match(
    (await ofJob('log', { message: TOKEN })).note ?? '',
    /^log was done without a part of what it was given\. guardrail no-secret-in-output: .* name the variable/,
  );
});

test('a call that nothing was taken out of has no such note (CFG-4)', async () => {
  const { ofJob } = await session();
  assert.is((await ofJob('log', { message: 'all is well' })).note, null);
});

test('what was refused is in the log of the job (CFG-4)', async () => {
  const { own, lines } = await session();
  await own(shell('git push -f'));
  assert.match(lines[0] ?? '', /^deny: guardrail no-force-push/);
});

test.run();
