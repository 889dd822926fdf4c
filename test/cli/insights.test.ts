import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import ListCommand from '../../cli/commands/insights/list.ts';
import PromoteCommand from '../../cli/commands/insights/promote.ts';
import RemoveCommand from '../../cli/commands/insights/remove.ts';
import SearchCommand from '../../cli/commands/insights/search.ts';
import type { ListedInsight } from '../../src/contract/schema/workflow/insight.ts';
import { CommandLine } from '../support/cli/commandLine.ts';
import { aProposalSummary } from '../support/http/aProposal.ts';
import { JOB_ID } from '../support/http/fakeFacade.ts';
import { fakeRunner } from '../support/http/fakeRunner.ts';

const test = suite<{ home: string }>('commands insights');

test.before.each(async (context) => {
  context.home = await mkdtemp(join(tmpdir(), 'svc-insights-'));
});
test.after.each(({ home }) => rm(home, { recursive: true, force: true }));

const INSIGHT: ListedInsight = {
  id: 'abc',
  jobId: JOB_ID,
  repo: 'shop',
  workflow: 'workflows/job.md',
  category: 'pitfall',
  text: 'Mind the gap.\nAlways.',
  phase: 'coding',
  at: '2026-01-01T00:00:00.000Z',
};

async function run(
  home: string,
  command: Parameters<CommandLine['run']>[0],
  argv: string[],
  env = {},
) {
  const runner = await fakeRunner({
    'GET /insights': [200, [INSIGHT], { 'X-Total-Count': '7' }],
    [`DELETE /jobs/${JOB_ID}/insights/abc`]: [204, null],
    [`POST /jobs/${JOB_ID}/insights/abc/promote`]: [200, aProposalSummary()],
  });
  try {
    const line = new CommandLine({ SVC_HOME: home, SVC_URL: runner.url, ...env });
    return { ...(await line.run(command, argv)), seen: runner.seen };
  } finally {
    await runner.close();
  }
}

test('the list shows what names an insight, and its whole text', async ({ home }) => {
  const { out, err } = await run(home, ListCommand, []);
  assert.is(out, `${JOB_ID} abc  pitfall  coding  2026-01-01\n  Mind the gap.\n  Always.\n`);
  assert.match(err, '1 of 7 insights; more: --offset 1');
});

test('a search sends its words and filters', async ({ home }) => {
  const { seen } = await run(home, SearchCommand, ['the gap', '--repo', 'shop', '--json']);
  assert.is(seen[0]?.path, '/insights?repo=shop&limit=50&q=the+gap');
});

test('an insight is removed, and promoted with the text of a person', async ({ home }) => {
  const removed = await run(home, RemoveCommand, [JOB_ID, 'abc']);
  assert.is(removed.seen[0]?.method, 'DELETE');
  const promoted = await run(home, PromoteCommand, [JOB_ID, 'abc', '--text', 'Mind it.']);
  assert.equal(promoted.seen[0]?.body, { text: 'Mind it.' });
  assert.match(promoted.out, 'It takes effect when');
});

test('an agent removes and promotes nothing', async ({ home }) => {
  for (const command of [RemoveCommand, PromoteCommand]) {
    const { err, seen } = await run(home, command, [JOB_ID, 'abc'], { SVC_SESSION_DIR: '/x' });
    assert.match(err, 'An agent cannot');
    assert.equal(seen, []);
  }
});

test.run();
