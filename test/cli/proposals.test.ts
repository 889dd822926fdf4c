import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import ApplyCommand from '../../cli/commands/proposals/apply.ts';
import ApproveCommand from '../../cli/commands/proposals/approve.ts';
import ProposalsCommand from '../../cli/commands/proposals/index.ts';
import RejectCommand from '../../cli/commands/proposals/reject.ts';
import ShowCommand from '../../cli/commands/proposals/show.ts';
import type { Proposal } from '../../src/contract/schema/workflow/proposal.ts';
import { CommandLine } from '../support/cli/commandLine.ts';
import { aProposal, aProposalSummary } from '../support/http/aProposal.ts';
import { fakeRunner } from '../support/http/fakeRunner.ts';

const test = suite<{ home: string }>('commands proposals');

test.before.each(async (context) => {
  context.home = await mkdtemp(join(tmpdir(), 'svc-proposals-'));
});
test.after.each(({ home }) => rm(home, { recursive: true, force: true }));

const { id, hash } = aProposal();
const POISONED = aProposal({
  description: 'Fine.\u001B[2J\u202e',
  warnings: 1,
  checks: {
    findings: [],
    simulated: [],
    meaning: [{ path: 'memory/build.md', says: 'the file is new' }],
    warnings: [
      {
        id: 'runs-1',
        kind: 'runs',
        path: 'memory/build.md',
        says: 'runs or reaches: rm',
        allow: true,
      },
    ],
  },
});

type Command = Parameters<CommandLine['run']>[0];
interface Given {
  shown?: Proposal;
  after?: Partial<Proposal>;
  env?: Record<string, string>;
  answers?: string[];
}

async function run(
  home: string,
  command: Command,
  argv: string[],
  { shown = aProposal(), after = {}, env = {}, answers }: Given = {},
) {
  const runner = await fakeRunner({
    'GET /proposals': [200, [aProposalSummary()], { 'X-Total-Count': '7' }],
    [`GET /proposals/${id}`]: [200, shown],
    [`POST /proposals/${id}/approve`]: [200, aProposal({ state: 'approved' })],
    [`POST /proposals/${id}/reject`]: [200, aProposal({ state: 'rejected' })],
    [`POST /proposals/${id}/apply`]: [200, aProposal({ state: 'applied', ...after })],
  });
  try {
    const line = new CommandLine({ SVC_HOME: home, SVC_URL: runner.url, ...env });
    if (answers) line.answers = answers;
    return { ...(await line.run(command, argv)), seen: runner.seen };
  } finally {
    await runner.close();
  }
}

test('the list names state, kind, layer, file and reason (HTTP-8)', async ({ home }) => {
  const { out, err } = await run(home, ProposalsCommand, []);
  assert.match(out, new RegExp(`${id} +open +memory +the team .*memory/build.md +Say how`));
  assert.match(err, /1 of 7|7 proposals/);
});

test('the list sends its filters', async ({ home }) => {
  const { seen } = await run(home, ProposalsCommand, ['job-1', '--state', 'open', '-n', '1']);
  assert.is(seen[0]?.path, '/proposals?job=job-1&state=open&limit=1');
});

test('show has the meaning, the warnings with their ids, and the lines', async ({ home }) => {
  const { out } = await run(home, ShowCommand, [id], { shown: POISONED });
  for (const part of [
    'memory/build.md: the file is new',
    'runs-1: memory/build.md runs',
    '+Run npm test.',
    hash,
  ])
    assert.ok(out.includes(part), part);
});

test('nothing of a proposal reaches the terminal as a command to it', async ({ home }) => {
  const { out } = await run(home, ShowCommand, [id], { shown: POISONED });
  for (const hidden of ['\u001B[2J', '\u202e']) assert.not.ok(out.includes(hidden));
});

test('each warning that must be named is asked about, and sent', async ({ home }) => {
  const approval = await run(home, ApproveCommand, [id], { shown: POISONED, answers: ['y', 'y'] });
  assert.equal(approval.seen.at(-1)?.body, { hash, allow: ['runs-1'] });
  const refused = await run(home, ApproveCommand, [id], { shown: POISONED, answers: ['y', 'n'] });
  assert.equal([refused.code, refused.seen.length], [1, 1]);
});

test('approve shows it, asks, and sends the hash of what was shown (INT-8)', async ({ home }) => {
  const { out, seen } = await run(home, ApproveCommand, [id], { answers: ['y'] });
  assert.match(out, /Why\n {2}Say how[\s\S]*is approved/);
  assert.equal(seen.at(-1)?.body, { hash, allow: [] });
});

test('with no, nothing is done', async ({ home }) => {
  const { code, seen } = await run(home, ApproveCommand, [id], { answers: ['n'] });
  assert.equal([code, seen.length], [1, 1]);
});

test('without a terminal, --yes needs the hash of what was shown', async ({ home }) => {
  const { code, err } = await run(home, ApproveCommand, [id, '--yes']);
  assert.is(code, 2);
  assert.match(err, /--hash/);
});

test('--apply applies it at once; a conflict ends with 1 and says why', async ({ home }) => {
  const { code, out } = await run(home, ApproveCommand, [id, '--yes', '--hash', hash, '--apply'], {
    after: { state: 'conflicted', problem: 'it has changed' },
  });
  assert.is(code, 1);
  assert.match(out, /is conflicted. it has changed/);
});

test('apply says from when on it counts', async ({ home }) => {
  const { out } = await run(home, ApplyCommand, [id]);
  assert.match(out, /is applied. Jobs see it from their next phase on/);
});

test('reject sends the reason', async ({ home }) => {
  const { seen } = await run(home, RejectCommand, [id, '--reason', 'no', '--author', 'ana']);
  assert.equal(seen.at(-1)?.body, { reason: 'no', author: 'ana' });
});

for (const [name, command] of [
  ['approve', ApproveCommand],
  ['reject', RejectCommand],
  ['apply', ApplyCommand],
] as const)
  test(`an agent cannot ${name}`, async ({ home }) => {
    const { code, seen } = await run(home, command, [id], { env: { SVC_SESSION_DIR: '/s' } });
    assert.equal([code, seen.length], [4, 0]);
  });

test.run();
