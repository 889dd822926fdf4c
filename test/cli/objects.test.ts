import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import CampaignShowCommand from '../../cli/commands/campaign/show.ts';
import ExitCodesCommand from '../../cli/commands/exit-codes.ts';
import JobsCommand from '../../cli/commands/jobs.ts';
import JobCommand from '../../cli/commands/job.ts';
import LintCommand from '../../cli/commands/workflow/lint.ts';
import MessageCommand from '../../cli/commands/message.ts';
import PauseCommand from '../../cli/commands/pause.ts';
import PluginHealthcheckCommand from '../../cli/commands/plugin/healthcheck.ts';
import PrApproveCommand from '../../cli/commands/pr/approve.ts';
import RerunCommand from '../../cli/commands/rerun.ts';
import ResumeCommand from '../../cli/commands/resume.ts';
import StatusCommand from '../../cli/commands/status.ts';
import TrustRemoveCommand from '../../cli/commands/trust/remove.ts';
import WhyCommand from '../../cli/commands/why.ts';
import { CommandLine } from '../support/cli/commandLine.ts';
import { fakeRunner } from '../support/http/fakeRunner.ts';

const test = suite<{ home: string }>('what a command acts on');

test.before.each(async (context) => {
  context.home = await mkdtemp(join(tmpdir(), 'svc-objects-'));
});
test.after.each(({ home }) => rm(home, { recursive: true, force: true }));

type Command = Parameters<CommandLine['run']>[0];

/** The requests that a command makes, each refused by a runner that knows nothing. */
async function runAndReadAsked(home: string, command: Command, argv: string[]): Promise<string[]> {
  const runner = await fakeRunner({});
  try {
    await new CommandLine({ SVC_HOME: home, SVC_URL: runner.url }).run(command, argv);
    return runner.seen.map(({ method, path }) => `${method} ${path}`);
  } finally {
    await runner.close();
  }
}

const WAYS: [Command, string[], string[], string][] = [
  [StatusCommand, ['j1'], ['--job', 'j1'], 'GET /jobs/j1'],
  [WhyCommand, ['j1'], ['-j', 'j1'], 'GET /jobs/j1/why'],
  [PauseCommand, ['j1'], ['--job=j1'], 'POST /jobs/j1/pause'],
  [
    RerunCommand,
    ['j1', 'coding'],
    ['--phase', 'coding', 'j1'],
    'POST /jobs/j1/phases/coding/rerun',
  ],
  [MessageCommand, ['j1', 'hello'], ['--job', 'j1', 'hello'], 'POST /jobs/j1/message'],
  [ResumeCommand, ['j1', '-e', 'go'], ['--job', 'j1', '--event', 'go'], 'POST /jobs/j1/resume'],
  [CampaignShowCommand, ['j1'], ['--job', 'j1'], 'GET /jobs/j1/sub-runs'],
  [TrustRemoveCommand, ['shop'], ['-r', 'shop'], 'DELETE /trust/shop'],
  [
    PrApproveCommand,
    ['shop', '7'],
    ['--repo', 'shop', '--number', '7'],
    'POST /forges/local/repos/shop/prs/7/approve',
  ],
];
for (const [command, words, flags, request] of WAYS) {
  test(`${words.join(' ')} is ${flags.join(' ')}: ${request} (CLI-1)`, async ({ home }) => {
    assert.equal(await runAndReadAsked(home, command, words), [request]);
    assert.equal(await runAndReadAsked(home, command, flags), [request]);
  });
}

test('a plugin is named by an argument or by --plugin (CLI-4)', async ({ home }) => {
  for (const argv of [['greeter'], ['--plugin', 'greeter']])
    assert.equal(
      (await runAndReadAsked(home, PluginHealthcheckCommand, argv)).at(-1),
      'GET /health',
    );
});

/** The refusal without any runner; exit code 2 and nothing on standard output. */
async function refusal(home: string, command: Command, argv: string[]): Promise<string> {
  const { code, out, err } = await new CommandLine({ SVC_HOME: home }).run(command, argv);
  assert.equal(code, 2, argv.join(' '));
  assert.equal(out, '', argv.join(' '));
  return err.replace(/^Error: |( See svc [a-z]+ --help\.)?\n$/g, '');
}

test('an empty or blank value is refused before a runner is asked (CLI-1)', async ({ home }) => {
  const empty = '--job is empty. svc jobs lists the IDs of jobs.';
  assert.is(await refusal(home, StatusCommand, ['--job', '']), empty);
  assert.is(await refusal(home, StatusCommand, ['-j', ' ']), empty);
  assert.is(await refusal(home, StatusCommand, ['--job=']), empty);
  assert.is(await refusal(home, StatusCommand, ['']), 'Argument 1 is empty.');
  assert.is(
    await refusal(home, JobCommand, ['-r', 'shop', '--reviewers', '', '-d', 'x']),
    '--reviewers is empty. Give at least one name.',
  );
  assert.is(await refusal(home, JobsCommand, ['--status', '']), '--status is empty.');
});

test('what is missing, too much or unknown is named with the way to fix it (CLI-1, CLI-5)', async ({
  home,
}) => {
  const readRefusal = (command: Command, ...argv: string[]) => refusal(home, command, argv);
  assert.match(await readRefusal(StatusCommand), /^--job is missing\. .*svc jobs lists/);
  assert.match(await readRefusal(MessageCommand, 'j1'), /^The text is missing\./);
  assert.match(await readRefusal(StatusCommand, 'j1', '--job', 'j2'), 'j1 is one too many: --job');
  assert.match(
    await readRefusal(PrApproveCommand, 'shop', 'x'),
    'a whole number of at least 1, not x',
  );
  assert.is(
    await readRefusal(JobsCommand, '--limit', '0'),
    '--limit must be a whole number of at least 1, not 0.',
  );
  assert.is(
    await readRefusal(JobsCommand, '--limit', '501'),
    '--limit must be a whole number of at most 500, not 501.',
  );
  assert.is(
    await readRefusal(JobsCommand, '--limit', 'x'),
    '--limit must be a whole number, not x.',
  );
  assert.is(
    await readRefusal(JobsCommand, '--limt', '3'),
    'Unknown flag --limt. Did you mean --limit?',
  );
  assert.is(await readRefusal(JobsCommand, '--status'), '--status needs a value.');
  assert.is(
    await readRefusal(JobsCommand, '--sort', '-since'),
    '--sort needs a value. One that begins with a minus follows "=": --sort=-since.',
  );
  assert.is(await readRefusal(JobsCommand, '--sort', '--quiet'), '--sort needs a value.');
  assert.is(await readRefusal(JobsCommand, 'extra'), 'Too many arguments: extra.');
  assert.is(await readRefusal(JobCommand, '--timeout', '3m'), '--timeout needs --wait.');
  assert.is(
    await readRefusal(LintCommand, '--format', 'githb'),
    '--format must be one of text, json, sarif, github, not githb. Did you mean github?',
  );
  assert.is(
    await readRefusal(ResumeCommand, '--all', 'paused', '--event', 'x'),
    '--event and --all cannot be combined. Give one.',
  );
});

test('only commands that reach a runner have --url', async ({ home }) => {
  assert.is(await refusal(home, ExitCodesCommand, ['--url', 'http://x']), 'Unknown flag --url.');
  assert.is(await refusal(home, LintCommand, ['--url', 'http://x']), 'Unknown flag --url.');
});

test.run();
