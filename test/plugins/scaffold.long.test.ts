import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SCAFFOLDED_KINDS } from '../../src/plugins/scaffold/scaffoldFiles.ts';
import { writeScaffold } from '../../src/plugins/scaffold/scaffoldFiles.ts';
import { PluginHome } from '../support/pluginFolder.ts';
import { catchRefusal } from '../support/refusal.ts';
import { prepare } from '../support/agents/sessionRequest.ts';
import { longLane } from '../support/longLane.ts';

const test = suite('plugins scaffold');
const long = longLane(test);

const root = join(import.meta.dirname, '../..');
const tsc = join(root, 'node_modules/typescript/bin/tsc');
const node = (cwd: string, ...args: string[]): string =>
  execFileSync(process.execPath, args, { cwd, encoding: 'utf8', stdio: 'pipe' });

/** What a plugin may use of Node in the first minute. */
const NODE_PARTS = `export async function everyday(signal: AbortSignal): Promise<string> {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), 1_000);
  signal.addEventListener('abort', () => stop.abort());
  const response = await fetch('https://example.com', { signal: stop.signal });
  clearTimeout(timer);
  return \`\${process.pid} \${Buffer.from(await response.text()).length}\`;
}
`;

/** Compiles plugins as `npm run build` does, all in one program; answers what is wrong. */
function compile(dirs: readonly string[]): string[] {
  const [first = ''] = dirs;
  const json: unknown = JSON.parse(readFileSync(join(first, 'tsconfig.json'), 'utf8'));
  const { options } = ts.parseJsonConfigFileContent(json, ts.sys, first);
  const files = dirs.flatMap((dir) =>
    readdirSync(join(dir, 'src')).map((file) => join(dir, 'src', file)),
  );
  const program = ts.createProgram(files, {
    ...options,
    rootDir: dirname(first),
    typeRoots: [join(root, 'node_modules/@types')],
  });
  program.emit(undefined, (file, text) => {
    const path = file.replace(join(first, 'dist'), dirname(first)).replace('/src/', '/dist/');
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  });
  return ts.getPreEmitDiagnostics(program).map(({ file, messageText }) => {
    return `${file?.fileName ?? ''}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
  });
}

long(
  'a new plugin of each kind compiles with timers, fetch and process, passes its own tests, installs from a folder and packed, passes the kit, and runs (CLI-4)',
  async () => {
    using home = new PluginHome();
    const dirs: string[] = [];
    for (const kind of SCAFFOLDED_KINDS) {
      const dir = join(home.dir, `my-${kind}`);
      const files = await writeScaffold(`my-${kind}`, kind, dir);
      const own = kind === 'scm' ? ['src/client.ts'] : [];
      assert.equal(files, [
        'package.json',
        'tsconfig.json',
        'src/contract.ts',
        'src/index.ts',
        ...own,
        'test/plugin.test.mjs',
        'README.md',
      ]);
      writeFileSync(join(dir, 'src', 'everyday.ts'), NODE_PARTS);
      dirs.push(dir);
    }
    assert.equal(compile(dirs), []);

    const host = await home.host();
    for (const [n, kind] of SCAFFOLDED_KINDS.entries()) {
      const dir = dirs[n] ?? '';
      assert.match(node(dir, '--test', 'test/plugin.test.mjs'), /fail 0\b/, kind);
      const installed = await host.install({ spec: dir });
      // Its settings are required: it reports that, and can be tried all the same.
      const needs = ['tracker', 'scm'].includes(kind);
      assert.is(installed.health.state, needs ? 'unhealthy' : 'healthy', installed.health.detail);
      const report = await host.test(`my-${kind}`);
      const otherCases = report.cases.filter(({ outcome }) => outcome !== 'passed');
      const failures =
        kind === 'scm' ? otherCases.filter(({ outcome }) => outcome !== 'skipped') : otherCases;
      assert.equal(failures, [], kind);
    }

    const [executor = ''] = dirs;
    execFileSync('npm', ['pack', '--pack-destination', home.dir], { cwd: executor, stdio: 'pipe' });
    const tarball = readdirSync(home.dir).find((name) => name.endsWith('.tgz')) ?? '';
    const settings = { 'my-executor': { config: { greeting: 'Good morning' } } };
    const next = await home.host({ settings });
    assert.is((await next.install({ spec: join(home.dir, tarball) })).health.state, 'healthy');
    assert.equal(await next.models('my-executor'), [{ id: 'polite', title: 'The polite one' }]);
    await using session = await prepare(null, { kickoff: 'Fix the gate.\nSoon.' });
    const running = await next
      .executors()
      .find(({ id }) => id === 'my-executor')
      ?.run(session.request);
    assert.is((await running?.result)?.stopReason, 'end_turn');
    assert.equal(session.lines('stdout'), [
      'Good morning from coding.',
      'I was asked: Fix the gate.',
    ]);
  },
);

test('the contract that it is written with is the one that svc keeps', async () => {
  using home = new PluginHome();
  const dir = join(home.dir, 'it');
  await writeScaffold('it', 'executor', dir);
  const source = (path: string) => JSON.stringify(join(root, path));
  writeFileSync(
    join(dir, 'src', 'same.ts'),
    `import type * as theirs from './contract.js';
import type * as ours from ${source('src/contract/session/executor.ts')};
import type { Decider, ExecutorSamples, PluginContext, PluginForge, PluginOf, Tracker } from ${source('src/contract/runner/plugin.ts')};
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : never) : never;
export const same: [
  Same<theirs.SessionRequest, ours.SessionRequest>,
  Same<theirs.SessionEvent, ours.SessionEvent>,
  Same<theirs.SessionResult, ours.SessionResult>,
  Same<theirs.Session, ours.Session>,
  Same<theirs.ExecutorCapabilities, ours.ExecutorCapabilities>,
  Same<theirs.PluginContext, PluginContext>,
  Same<theirs.ExecutorSamples, ExecutorSamples>,
  Same<theirs.Tracker, Tracker>,
  Same<theirs.PluginForge, PluginForge>,
  Same<theirs.Decider, Decider>,
] = [true, true, true, true, true, true, true, true, true, true];
export const executor = (plugin: theirs.ExecutorPlugin): PluginOf<'executor'> => plugin;
export const tracker = (plugin: theirs.TrackerPlugin): PluginOf<'tracker'> => plugin;
export const scm = (plugin: theirs.ScmPlugin): PluginOf<'scm'> => plugin;
export const decider = (plugin: theirs.DeciderPlugin): PluginOf<'decider'> => plugin;
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

test('an invalid id, an unknown kind and an existing folder are refused', async () => {
  using home = new PluginHome();
  const unknown = await catchRefusal(() => writeScaffold('it', 'forge', join(home.dir, 'x')));
  assert.equal(unknown.code, 'bad-argument');
  assert.equal(
    unknown.message,
    '"forge" is not a kind of plugin. Use one of: executor, tracker, scm, decider.',
  );
  assert.is(
    (await catchRefusal(() => writeScaffold('../evil', 'executor', join(home.dir, 'x')))).code,
    'bad-argument',
  );
  assert.is((await catchRefusal(() => writeScaffold('it', 'executor', home.dir))).code, 'conflict');
});

test.run();
