import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import PrApproveCommand from '../../cli/commands/pr/approve.ts';
import PrReviewCommand from '../../cli/commands/pr/review.ts';
import { parseReviewComment } from '../../cli/input/parseReviewComment.ts';
import { CommandLine } from '../support/cli/commandLine.ts';
import { type FakeRunner, fakeRunner } from '../support/http/fakeRunner.ts';

const JOB = 'shop-job-1';
const HEAD = 'a'.repeat(40);
const PR = `/jobs/${JOB}/pull-requests/github%3Aacme%2Fshop%237`;
const mapping = (number: number) => ({
  prId: `github:acme/shop#${number}`,
  number,
  state: 'open',
});

const test = suite<{ home: string; runner: FakeRunner; line: CommandLine }>(
  'pull requests of jobs',
);

test.before.each(async (context) => {
  context.home = await mkdtemp(join(tmpdir(), 'svc-pr-'));
  context.runner = await fakeRunner({
    [`GET /jobs/${JOB}`]: [200, { id: JOB, prMappings: [mapping(7)] }],
    'GET /jobs/two-job-1': [200, { id: 'two-job-1', prMappings: [mapping(7), mapping(8)] }],
    [`GET ${PR}`]: [200, { ...mapping(7), headCommit: HEAD }],
    [`POST ${PR}/approve-in-svc`]: [200, { person: 'developer', head: HEAD, current: true }],
    [`POST ${PR}/review`]: [
      201,
      {
        prId: 'github:acme/shop#7',
        state: 'queued',
        problem: null,
        agentToldOf: true,
        comments: [{ path: 'x.ts', line: 9, state: 'rejected', reason: 'not part of the diff' }],
        given: { state: 'elsewhere', reason: 'svc opened it', url: 'https://forge.test/7' },
      },
    ],
  });
  context.line = new CommandLine({ SVC_HOME: context.home, SVC_URL: context.runner.url }, '');
});
test.after.each(async ({ home, runner }) => {
  await runner.close();
  await rm(home, { recursive: true, force: true });
});

test('svc pr approve --job approves the commit that it has read; without a terminal it needs --yes', async ({
  line,
}) => {
  const refused = await line.run(PrApproveCommand, ['--job', JOB]);
  assert.is(refused.code, 2);
  assert.match(refused.err, /no terminal is attached\. Give --yes/);
  const { code, out } = await line.run(PrApproveCommand, ['--job', JOB, '--yes']);
  assert.is(code, 0);
  assert.match(out, /^github:acme\/shop#7 approved in svc by developer at a{12}\./);
});

test('with several open pull requests it says which there are', async ({ line }) => {
  const { code, err } = await line.run(PrApproveCommand, ['--job', 'two-job-1', '--yes']);
  assert.is(code, 2);
  assert.match(err, /github:acme\/shop#7, github:acme\/shop#8\. Name one with --pr/);
});

test('inside a session of an agent it is refused before the runner is asked', async ({ home }) => {
  const inside = new CommandLine({ SVC_HOME: home, SVC_SESSION_DIR: home }, '');
  const { code, err } = await inside.run(PrApproveCommand, ['--job', JOB, '--yes']);
  assert.is(code, 4);
  assert.match(err, /An agent cannot approve/);
});

test('svc pr review says what the forge did not take, and where the verdict is given', async ({
  line,
}) => {
  const { code, out } = await line.run(PrReviewCommand, [
    '--job',
    JOB,
    '--verdict',
    'request-changes',
    '--comment',
    'x.ts:9 Why?',
  ]);
  assert.is(code, 0);
  assert.match(out, /^The review of github:acme\/shop#7 is on its way, and its agent has it\./);
  assert.match(out, /Give it at https:\/\/forge\.test\/7/);
  assert.match(out, /rejected: x\.ts:9: not part of the diff/);
});

test('a review without anything to send is refused', async ({ line }) => {
  const { code, err } = await line.run(PrReviewCommand, ['--job', JOB]);
  assert.is(code, 2);
  assert.match(err, /give --comment, --body or --verdict/);
});

test('a comment names a line, lines or a whole file', () => {
  assert.equal(parseReviewComment('src/a.ts:12 Why?'), {
    path: 'src/a.ts',
    body: 'Why?',
    line: 12,
  });
  assert.equal(parseReviewComment('README.md:3-5 Say why'), {
    path: 'README.md',
    body: 'Say why',
    line: 5,
    startLine: 3,
  });
  assert.equal(parseReviewComment('README.md All of it'), { path: 'README.md', body: 'All of it' });
  assert.throws(() => parseReviewComment('README.md:3'), /--comment must be/);
});

test.run();
