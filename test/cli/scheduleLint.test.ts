import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import ConfigSetCommand from '../../cli/commands/config/set.ts';
import ScheduleLintCommand from '../../cli/commands/schedule/lint.ts';
import { CommandLine } from '../support/cli/commandLine.ts';
import { fakeRunner } from '../support/http/fakeRunner.ts';

const test = suite<{ home: string }>('svc schedule lint');

const WORKFLOW = `---
initial_phase: work
initial_status: working
phases:
  - { name: work, agent: agents/automerge-coder.md, status: working }
---

Works at night.
`;

/** A repository with a workflow of its own. */
function createRepository(folder: string): void {
  mkdirSync(join(folder, '.svc', 'workflows'), { recursive: true });
  writeFileSync(join(folder, '.svc', 'workflows', 'own.md'), WORKFLOW);
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=S', '-c', 'user.email=s@svc.invalid', ...args], {
      cwd: folder,
      stdio: 'pipe',
    });
  git('init', '--quiet', '--initial-branch=main');
  git('add', '--all');
  git('commit', '--quiet', '-m', 'first');
}

test.before.each((context) => {
  context.home = mkdtempSync(join(tmpdir(), 'svc-cli-schedules-'));
  createRepository(join(context.home, 'shop'));
});
test.after.each(({ home }) => rmSync(home, { recursive: true, force: true }));

const nightly = (workflow: string, params: object) => ({
  name: 'nightly',
  cron: '0 3 * * *',
  workflow,
  params: { description: 'Update.', reviewers: ['ana'], ...params },
});

function writeConfig(home: string, config: object): void {
  const forges = { local: { repos: { shop: join(home, 'shop') } } };
  writeFileSync(join(home, 'config.json'), JSON.stringify({ forges, ...config }));
}

const lint = async (home: string, workflow: string, params: object, config: object = {}) => {
  writeConfig(home, { schedules: [nightly(workflow, params)], ...config });
  const { code, out } = await new CommandLine({ SVC_HOME: home }).run(ScheduleLintCommand, [
    '--json',
  ]);
  const [{ problem, note }] = JSON.parse(out);
  return { code, problem, note };
};

test('a workflow that neither svc nor the repository on this disk has is found', async ({
  home,
}) => {
  const { code, problem, note } = await lint(home, 'workflows/gone.md', { repoSlug: 'shop' });
  assert.is(code, 1);
  assert.match(problem, 'names workflows/gone.md');
  assert.is(note, null);
});

test('a workflow of the repository on this disk is checked with its params', async ({ home }) => {
  assert.equal(await lint(home, 'workflows/own.md', { repoSlug: 'shop' }), {
    code: 0,
    problem: null,
    note: null,
  });
});

test('a repository of the local forge that is not configured is found', async ({ home }) => {
  const params = { repoSlug: 'stop', gitProvider: 'local' };
  const { code, problem } = await lint(home, 'workflows/own.md', params);
  assert.is(code, 1);
  assert.match(problem, 'stop');
});

test('a workflow at a forge, and one of an overlay elsewhere, is named as not checked', async ({
  home,
}) => {
  const elsewhere = await lint(home, 'workflows/gone.md', { repoSlug: 'acme/shop' });
  assert.equal([elsewhere.code, elsewhere.problem], [0, null]);
  assert.match(elsewhere.note, 'workflows/gone.md');
  const overlay = { kind: 'gitRemote', url: 'https://git.example.org/overlay.git' };
  const ofTeam = await lint(home, 'workflows/gone.md', {}, { tenant: { overlay } });
  assert.equal([ofTeam.code, ofTeam.problem], [0, null]);
  assert.match(ofTeam.note, 'workflows/gone.md');
});

test('what is elsewhere is checked by the runner of the home', async ({ home }) => {
  const view = { name: 'nightly', enabled: true, workflow: 'workflows/gone.md' };
  const runner = await fakeRunner({
    'GET /schedules': [200, [{ ...view, problem: 'it does not exist' }]],
  });
  try {
    const info = { url: runner.url, pid: process.pid, startedAt: '2026-11-30T08:00:00.000Z' };
    writeFileSync(join(home, 'runner.json'), JSON.stringify({ ...info, home }));
    assert.equal(await lint(home, 'workflows/gone.md', { repoSlug: 'acme/shop' }), {
      code: 1,
      problem: 'it does not exist',
      note: null,
    });
  } finally {
    await runner.close();
  }
});

test('without a runner, a schedule is refused when it is written', async ({ home }) => {
  writeConfig(home, {});
  const write = (workflow: string) => {
    const value = JSON.stringify([nightly(workflow, { repoSlug: 'shop' })]);
    return new CommandLine({ SVC_HOME: home }, value).run(ConfigSetCommand, [
      'schedules',
      '-',
      '--json',
    ]);
  };
  const refusal = await write('workflows/gone.md');
  assert.is(refusal.code, 2, refusal.out);
  assert.equal(
    JSON.parse(refusal.out).error.errors.map(({ pointer }: { pointer: string }) => pointer),
    ['/schedules/0/workflow'],
  );
  assert.is((await write('workflows/own.md')).code, 0);
});

test.run();
