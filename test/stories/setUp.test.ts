import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import InitCommand from '../../cli/commands/init.ts';
import PrMergeCommand from '../../cli/commands/pr/merge.ts';
import ResumeCommand from '../../cli/commands/resume.ts';
import { openModelServer } from '../../demo/model/server.ts';
import { RunnerProcess } from '../../demo/runnerProcess.ts';
import { createClient } from '../../src/api/client/client.ts';
import type { Job } from '../../src/contract/schema/job/job.ts';
import { MARKER, shipped } from '../support/agents/shippedPlays.ts';
import { CommandLine } from '../support/cli/commandLine.ts';
import { PATIENCE_MS } from '../support/inTime.ts';
import { Looks } from '../support/looks.ts';

const test = suite('stories: the setup wizard');

const BIN = join(import.meta.dirname, '..', '..', 'cli', 'bin', 'run.js');
/** Most inputs from the clean home to the merged change: answers and commands. */
const MOST_INPUTS = 12;

test('in a terminal the wizard leads from a clean home to a merged change; Ctrl-C on the way loses nothing (CLI-2 CFG-5)', async () => {
  await using model = await openModelServer({ scripts: { [MARKER]: shipped } });
  const dir = mkdtempSync(join(tmpdir(), 'svc-setup-'));
  const [home, shop] = [join(dir, 'home'), join(dir, 'shop')];
  mkdirSync(shop);
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=N', '-c', 'user.email=n@svc.invalid', ...args], {
      cwd: shop,
    });
  git('init', '--quiet', '--initial-branch=main');
  git('commit', '--quiet', '--allow-empty', '-m', 'first');
  // Where Ollama listens unless its default applies.
  const line = new CommandLine({ SVC_HOME: home, OLLAMA_HOST: new URL(model.url).host, PATH: '' });
  line.cwd = shop;
  let inputs = 0;
  const run = (command: Parameters<CommandLine['run']>[0], ...argv: string[]) => {
    inputs += 1;
    return line.run(command, argv);
  };
  const runner = new RunnerProcess(home, BIN);
  try {
    // Model, forge and its folder are answered with Enter; then Ctrl-C.
    line.answers = ['', '', '', null];
    inputs += line.answers.length;
    assert.is((await run(InitCommand)).code, 130);
    line.answers = ['', ''];
    inputs += line.answers.length;
    const result = await run(InitCommand);
    assert.is(result.code, 0, result.err);
    assert.match(result.out, 'Model: Phases run on builtin');
    assert.match(result.out, 'Forge: Repositories on this disk: shop.');
    inputs += 1;
    await runner.start();
    line.answers = null;
    const started = await run(InitCommand, '--first-job', `Retry uploads. @@${MARKER}`);
    const jobId = /^Started (\S+)\./m.exec(started.out)?.[1] ?? '';
    assert.is.not(jobId, '', started.err);
    const client = createClient({ baseUrl: runner.url, token: runner.token });
    const until = async (isReached: (job: Job) => boolean): Promise<void> => {
      const looks = new Looks();
      for (const deadline = Date.now() + PATIENCE_MS; ; await looks.pause()) {
        const job = await client.job(jobId);
        if (isReached(job)) return;
        if (Date.now() > deadline) throw new Error(JSON.stringify(job, null, 2));
      }
    };
    await until(({ parked }) => parked?.kind === 'approval');
    await run(ResumeCommand, jobId, '--event', 'approve', '--no-stream');
    await until(({ parked }) => parked?.kind === 'event');
    await run(PrMergeCommand, 'shop', '1', '--yes');
    await until(({ prMappings }) => prMappings.some(({ state }) => state === 'merged'));
    assert.ok(inputs <= MOST_INPUTS, `${inputs} inputs`);
  } finally {
    await runner.stop();
    rmSync(dir, { recursive: true, force: true });
  }
});

test.run();
