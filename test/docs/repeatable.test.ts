import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parse } from 'yaml';
import { read } from '../../scripts/checks/projectFiles.ts';
import { listFences } from '../../scripts/docs/markdownFiles.ts';

const test = suite<{ dir: string; checkout: string; env: Record<string, string> }>(
  'documents: programs that run twice',
);

test.before.each((context) => {
  context.dir = mkdtempSync(join(tmpdir(), 'svc-twice-'));
  context.checkout = join(context.dir, 'checkout');
  mkdirSync(join(context.dir, 'bin'));
  context.env = {
    PATH: `${join(context.dir, 'bin')}:${process.env.PATH}`,
    HOME: context.dir,
    GIT_AUTHOR_NAME: 'me',
    GIT_AUTHOR_EMAIL: 'me@example.org',
    GIT_COMMITTER_NAME: 'me',
    GIT_COMMITTER_EMAIL: 'me@example.org',
    SVC_JOB_ID: 'shop-job-1',
  };
  const git = (...args: string[]) => execFileSync('git', args, { env: context.env });
  git('init', '-q', '-b', 'main', context.checkout);
  git('-C', context.checkout, 'commit', '-q', '--allow-empty', '-m', 'start');
});
test.after.each(({ dir }) => rmSync(dir, { recursive: true, force: true }));

/** `svc tool`, which kills the program that calls it with its call number `last`. */
const svcThatKills = (dir: string, last: number): void => {
  const file = join(dir, 'bin', 'svc');
  const calls = join(dir, `calls-${last}`);
  writeFileSync(
    file,
    `#!/bin/sh\necho "$2" >> '${calls}'\n[ "$(wc -l < '${calls}')" -ne ${last} ] || kill -9 "$PPID"\n`,
  );
  chmodSync(file, 0o755);
};

/** The program of the agent that start.md writes into a file. */
function programIn(file: string): string[] {
  const page = listFences(read('docs/start.md'))
    .map(({ text }) => text)
    .join('\n');
  const [, written = ''] = page.split(`cat > team/agents/${file} <<'END'\n`);
  const [front = ''] = written.replace(/^---\n/, '').split('\n---\n');
  const { command }: { command: string[] } = parse(front);
  return command;
}

const listCommits = (env: Record<string, string>, checkout: string, branch: string): string =>
  execFileSync('git', ['-C', checkout, 'rev-list', '--count', `main..${branch}`], {
    env,
    encoding: 'utf8',
  }).trim();

for (const call of [1, 2, 3])
  test(`the coder of start.md that is killed at its tool call ${call} reaches its end when it runs again`, ({
    dir,
    checkout,
    env,
  }) => {
    const [program = '', ...args] = programIn('coder.md');
    const run = () => spawnSync(program, args, { cwd: checkout, env, encoding: 'utf8' });
    svcThatKills(dir, call);
    assert.is(run().signal, 'SIGKILL');
    svcThatKills(dir, 0);
    const second = run();
    assert.is(second.status, 0, second.stderr);
    assert.is(listCommits(env, checkout, 'greeting-shop-job-1'), '1');
  });

test('the pattern of write-a-workflow.md runs twice, and commits once', ({ checkout, env }) => {
  const block = listFences(read('docs/guides/write-a-workflow.md')).find(({ text }) =>
    text.includes('git switch -q fix-'),
  );
  writeFileSync(join(checkout, 'title'), 'A title\n');
  for (const _run of [1, 2]) {
    const { status, stderr } = spawnSync('sh', ['-ec', block?.text ?? 'false'], {
      cwd: checkout,
      env,
      encoding: 'utf8',
    });
    assert.is(status, 0, stderr);
  }
  assert.is(listCommits(env, checkout, 'fix-shop-job-1'), '1');
});

test.run();
