import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Play } from '../../demo/model/script.ts';
import { openModelServer } from '../../demo/model/server.ts';
import { RunnerProcess } from '../../demo/runnerProcess.ts';

const test = suite('stories: a new user');

const BIN = join(import.meta.dirname, '..', '..', 'cli', 'bin');
const JOB =
  'svc job --repo shop --reviewers me --description "@@work say hello" --param autoApprove=true --wait --timeout 1m';

/** The same agent in every phase: it leaves a report behind. */
const work: Play = function* () {
  yield { svc: 'post_artifact', args: { kind: 'report-md', title: 'Report', content: 'Hello.' } };
  return 'Done.';
};

test('on a clean home the refusal of the first job is one command; after it, without a restart, the job is done (RUN-1 CLI-1)', async () => {
  await using model = await openModelServer({ scripts: { work } });
  const dir = mkdtempSync(join(tmpdir(), 'svc-new-user-'));
  const [home, shop] = [join(dir, 'home'), join(dir, 'shop')];
  mkdirSync(shop);
  const as = [
    '-c',
    'user.name=N',
    '-c',
    'user.email=n@svc.invalid',
    '-c',
    'init.defaultBranch=main',
  ];
  execFileSync('git', [...as, 'init', '--quiet'], { cwd: shop });
  execFileSync('git', [...as, 'commit', '--quiet', '--allow-empty', '-m', 'first'], { cwd: shop });
  // Where Ollama listens unless its default applies.
  process.env.OLLAMA_HOST = new URL(model.url).host;
  const env = {
    ...process.env,
    SVC_HOME: home,
    NO_COLOR: '1',
    PATH: `${BIN}${delimiter}${process.env.PATH}`,
  };
  const shell = (line: string) =>
    new Promise<{ code: number; out: string; err: string }>((resolve) => {
      const child = execFile('sh', ['-c', line], { cwd: shop, env }, (_error, out, err) =>
        resolve({ code: child.exitCode ?? -1, out, err }),
      );
    });
  const runner = new RunnerProcess(home, join(BIN, 'run.js'));
  try {
    await runner.start();
    const refused = await shell(JOB);
    assert.is(refused.code, 2, refused.err);
    assert.match(refused.err, 'params.repoSlug names shop, but no repository is configured');
    assert.match(
      refused.err,
      'No agent can run the phases planning, coding, testing, evaluation and reporting',
    );
    const commands = refused.err
      .split('\n')
      .filter((line) => line.startsWith('  ') && line.includes('svc config set'));
    assert.is(commands.length, 1, refused.err);
    const followed = await shell(commands[0] ?? '');
    assert.is(followed.code, 0, followed.err);
    assert.not.match(followed.out, 'next start');
    const run = await shell(JOB);
    assert.is(run.code, 0, run.out + run.err);
    const [job] = JSON.parse((await shell('svc jobs --json')).out);
    assert.equal(job.status, 'complete');
    assert.equal(job.ended, true);
    assert.is(runner.restarts, 0);
  } finally {
    delete process.env.OLLAMA_HOST;
    await runner.stop();
    rmSync(dir, { recursive: true, force: true });
  }
});

test.run();
