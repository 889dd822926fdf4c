import { execFileSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { writeScaffold } from '../../src/plugins/scaffold/writeScaffold.ts';
import { PluginHome } from '../support/pluginFolder.ts';
import { refusalOf } from '../support/refusal.ts';
import { prepare } from '../support/agents/sessionRequest.ts';

const test = suite('plugins scaffold');

const root = join(import.meta.dirname, '../..');
const tsc = join(root, 'node_modules/typescript/bin/tsc');
const node = (cwd: string, ...args: string[]): string =>
  execFileSync(process.execPath, args, { cwd, encoding: 'utf8', stdio: 'pipe' });

test('a new plugin compiles, passes its own test and the kit, and runs a session, from its folder and packed (CLI-4)', async () => {
  using home = new PluginHome();
  const dir = join(home.dir, 'greeter');
  const files = await writeScaffold('greeter', dir);
  assert.equal(files, [
    'package.json',
    'tsconfig.json',
    'src/contract.ts',
    'src/index.ts',
    'test/plugin.test.mjs',
    'README.md',
  ]);
  node(dir, tsc);
  assert.match(node(dir, '--test', 'test/plugin.test.mjs'), /pass 1\b/);
  execFileSync('npm', ['pack', '--pack-destination', home.dir], { cwd: dir, stdio: 'pipe' });
  const tarball = readdirSync(home.dir).find((name) => name.endsWith('.tgz')) ?? '';

  for (const spec of [dir, join(home.dir, tarball)]) {
    const host = await home.host({
      settings: { greeter: { config: { greeting: 'Good morning' } } },
    });
    assert.is((await host.install({ spec })).health.state, 'healthy');
    assert.equal(await host.models('greeter'), [{ id: 'polite', title: 'The polite one' }]);
    const report = await host.test('greeter');
    assert.equal(
      report.cases.filter(({ outcome }) => outcome !== 'passed'),
      [],
    );
    await using session = await prepare(null, { kickoff: 'Fix the gate.\nSoon.' });
    const running = await host
      .executors()
      .find(({ id }) => id === 'greeter')
      ?.run(session.request);
    assert.is((await running?.result)?.stopReason, 'end_turn');
    assert.equal(session.lines('stdout'), [
      'Good morning from coding.',
      'I was asked: Fix the gate.',
    ]);
    await host.uninstall('greeter');
  }
});

test('the contract that it is written with is the one that svc keeps', async () => {
  using home = new PluginHome();
  const dir = join(home.dir, 'it');
  await writeScaffold('it', dir);
  const source = (path: string) => JSON.stringify(join(root, path));
  writeFileSync(
    join(dir, 'src', 'same.ts'),
    `import type * as theirs from './contract.js';
import type * as ours from ${source('src/contract/executor.ts')};
import type { ExecutorSamples, PluginContext, PluginOf } from ${source('src/contract/plugin.ts')};
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : never) : never;
export const same: [
  Same<theirs.SessionRequest, ours.SessionRequest>,
  Same<theirs.SessionEvent, ours.SessionEvent>,
  Same<theirs.SessionResult, ours.SessionResult>,
  Same<theirs.Session, ours.Session>,
  Same<theirs.ExecutorCapabilities, ours.ExecutorCapabilities>,
  Same<theirs.PluginContext, PluginContext>,
  Same<theirs.ExecutorSamples, ExecutorSamples>,
] = [true, true, true, true, true, true, true];
export const taken = (plugin: theirs.ExecutorPlugin): PluginOf<'executor'> => plugin;
`,
  );
  const settings = [
    '--noEmit',
    '--strict',
    '--target',
    'es2022',
    '--lib',
    'esnext,dom',
    '--module',
    'nodenext',
    '--skipLibCheck',
  ];
  const types = [
    '--types',
    'node',
    '--typeRoots',
    join(root, 'node_modules/@types'),
    '--allowImportingTsExtensions',
  ];
  try {
    node(dir, tsc, ...settings, ...types, '--ignoreConfig', 'src/same.ts');
  } catch (error) {
    assert.unreachable(String(Reflect.get(Object(error), 'stdout')));
  }
});

test('an invalid id and an existing folder are refused', async () => {
  using home = new PluginHome();
  assert.is(
    (await refusalOf(() => writeScaffold('../evil', join(home.dir, 'x')))).code,
    'bad-argument',
  );
  assert.is((await refusalOf(() => writeScaffold('it', home.dir))).code, 'conflict');
});

test.run();
