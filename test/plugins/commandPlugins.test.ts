import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { randomIds } from '../../src/base/system/ids/ids.ts';
import {
  type CommandPluginsDeps,
  installCommandPlugin,
  linkCommandPlugin,
  listCommandPlugins,
  uninstallCommandPlugin,
} from '../../src/plugins/commands/commandPlugins.ts';
import { installPlugin } from '../../src/plugins/install.ts';
import { createNpmRunner } from '../../src/plugins/npm.ts';
import { commandPackage, createManifest } from '../support/cli/commandPackage.ts';
import { greeter, formatPackageJson, PluginHome, writeFiles } from '../support/pluginFolder.ts';
import { catchRefusal } from '../support/refusal.ts';

const test = suite('plugins with commands');

const createDeps = (home: PluginHome): CommandPluginsDeps => ({
  dir: join(home.dir, 'commands'),
  npm: createNpmRunner(process.env),
  ids: randomIds,
  isOurs: (command) => command === 'jobs',
});

const folder = (home: PluginHome, files: Record<string, string>, name = 'package'): string =>
  writeFiles(join(home.dir, name), files);

/** A tarball needs no npm. */
const tarball = (home: PluginHome, files: Record<string, string>): string =>
  home.tarball(
    'it',
    Object.entries(files).map(([path, body]) => ({ path: `package/${path}`, body })),
  );

const PLUGIN = {
  name: '@acme/svc-commands',
  version: '1.0.0',
  commands: ['hello world'],
  isRunnerPlugin: false,
  problem: null,
};

test('a folder is packed and stands where oclif looks for it; removed, nothing of it is left (CLI-5)', async () => {
  using home = new PluginHome();
  const deps = createDeps(home);
  const root = join(deps.dir, 'node_modules', '@acme', 'svc-commands');
  const installed = { ...PLUGIN, type: 'user', root };
  assert.equal(
    await installCommandPlugin(deps, { spec: folder(home, commandPackage()) }),
    installed,
  );
  assert.equal(await listCommandPlugins(deps.dir), [installed]);
  assert.equal(readdirSync(root).sort(), ['commands', 'oclif.manifest.json', 'package.json']);

  await uninstallCommandPlugin(deps, '@acme/svc-commands');
  assert.equal(await listCommandPlugins(deps.dir), []);
  assert.equal(existsSync(root), false);
  assert.is(
    (await catchRefusal(() => uninstallCommandPlugin(deps, '@acme/svc-commands'))).code,
    'not-found',
  );
  assert.equal(readdirSync(deps.dir).sort(), ['node_modules', 'package.json']);
});

test('no script of a package runs, neither when it is packed nor when it is installed, unless that is allowed (CLI-5)', async () => {
  using home = new PluginHome();
  const ran = join(home.dir, 'ran');
  const touch = `node -e "require('fs').appendFileSync(process.env.npm_config_userconfig + '.ran', 'x')"`;
  const npm = createNpmRunner({ ...process.env, npm_config_userconfig: ran });
  const scripts = Object.fromEntries(
    ['prepack', 'prepare', 'preinstall', 'install', 'postinstall'].map((name) => [name, touch]),
  );
  writeFiles(home.dir, {
    'needed/package.json': JSON.stringify({ name: 'needed', version: '1.0.0', scripts }),
  });
  const dependencies = { needed: `file:${join(home.dir, 'needed')}` };
  const spec = folder(home, commandPackage({ scripts, dependencies }));
  const { root } = await installCommandPlugin({ ...createDeps(home), npm }, { spec });
  assert.equal(existsSync(`${ran}.ran`), false);
  assert.equal(existsSync(join(root, 'node_modules', 'needed')), true);
  await installCommandPlugin({ ...createDeps(home), npm }, { spec, allowScripts: true });
  assert.ok(existsSync(`${ran}.ran`));
});

test('what its author develops with is not asked for, so a conflict among that stops nothing', async () => {
  using home = new PluginHome();
  writeFiles(home.dir, {
    'needed/package.json': JSON.stringify({ name: 'needed', version: '1.0.0' }),
  });
  const spec = folder(
    home,
    commandPackage({
      dependencies: { needed: `file:${join(home.dir, 'needed')}` },
      devDependencies: { gone: 'file:/nowhere' },
    }),
  );
  assert.is((await installCommandPlugin(createDeps(home), { spec })).problem, null);
});

const REFUSED: readonly (readonly [what: string, files: Record<string, string>, why: RegExp])[] = [
  [
    'a plugin of the runner',
    { 'package.json': formatPackageJson('greeter'), 'index.js': greeter() },
    /^The package is a plugin of the runner and adds no commands\. Use: svc plugin install$/,
  ],
  ['any other package', commandPackage({ oclif: undefined }), /no member "oclif"/],
  [
    'one whose commands only running would tell',
    { ...commandPackage(), 'oclif.manifest.json': 'x' },
    /oclif\.manifest\.json is not JSON/,
  ],
  [
    'a manifest of another version',
    { ...commandPackage(), 'oclif.manifest.json': createManifest({}, '2.0.0') },
    /is for version "2\.0\.0"/,
  ],
  ['a name that leads elsewhere', commandPackage({ name: '../evil' }), /no name that npm accepts/],
  [
    'one that brings others',
    commandPackage({ oclif: { plugins: ['@oclif/plugin-version'] } }),
    /Install each one separately/,
  ],
  [
    'one of the commands of svc',
    { ...commandPackage(), 'oclif.manifest.json': createManifest({ jobs: {} }) },
    /^The package adds the command "jobs", which svc already has/,
  ],
  [
    'one of them as another name',
    { ...commandPackage(), 'oclif.manifest.json': createManifest({ mine: { aliases: ['jobs'] } }) },
    /the command "jobs"/,
  ],
  [
    'a name that a shell would run when it completes it',
    { ...commandPackage(), 'oclif.manifest.json': createManifest({ 'x$(touch evil)': {} }) },
    /which is not plain/,
  ],
  [
    'a description that a shell would run',
    {
      ...commandPackage(),
      'oclif.manifest.json': createManifest({ mine: { summary: 'a $(touch evil)' } }),
    },
    /which shell completion would run/,
  ],
];

test('what is refused is refused before anything is in its place, and names the command (CLI-5)', async () => {
  for (const [what, files, why] of REFUSED) {
    using home = new PluginHome();
    const deps = createDeps(home);
    const refusal = await catchRefusal(() =>
      installCommandPlugin(deps, { spec: tarball(home, files) }),
    );
    assert.match(refusal.message, why, what);
    assert.equal(readdirSync(deps.dir), [], what);
  }
  using home = new PluginHome();
  const { 'oclif.manifest.json': _, ...bare } = commandPackage();
  const refusal = await catchRefusal(() =>
    installCommandPlugin(createDeps(home), { spec: tarball(home, bare) }),
  );
  assert.match(refusal.message, /no oclif\.manifest\.json.*npx oclif manifest.*svc plugins link/);
});

test('no package may pass for svc, choose programs of npm or depend on git (CLI-5)', async () => {
  const cases: [files: Record<string, string>, why: RegExp][] = [
    [commandPackage({ name: '@svc/runner' }), /@svc\/runner is the name of svc itself/],
    [commandPackage({ name: 'svc' }), /svc is the name of svc itself/],
    [{ ...commandPackage(), '.npmrc': 'git=/bin/true\n' }, /"\.npmrc", which configures npm/],
    [
      commandPackage({ dependencies: { x: 'git+ssh://git@host.invalid/x.git' } }),
      /which is not the npm registry/,
    ],
  ];
  for (const [files, why] of cases) {
    using home = new PluginHome();
    const deps = createDeps(home);
    assert.match(
      (await catchRefusal(() => installCommandPlugin(deps, { spec: tarball(home, files) })))
        .message,
      why,
    );
    assert.equal(readdirSync(deps.dir), []);
  }
});

test('an archive that would write outside is refused (CLI-5)', async () => {
  using home = new PluginHome();
  const spec = tarball(home, { ...commandPackage(), '../../evil': 'x' });
  assert.match(
    (await catchRefusal(() => installCommandPlugin(createDeps(home), { spec }))).message,
    /leaves the package/,
  );
});

test('svc plugin install names the other one for a package that only brings commands (CLI-5)', async () => {
  using home = new PluginHome();
  const deps = {
    pluginsDir: home.pluginsDir,
    npm: createNpmRunner(process.env),
    ids: randomIds,
    taken: [],
  };
  const refusal = await catchRefusal(() =>
    installPlugin(deps, { spec: tarball(home, commandPackage()) }),
  );
  assert.is(
    refusal.message,
    'The package adds commands and is not a plugin of the runner. Use: svc plugins install',
  );
});

test('one package may be both, and each half is installed by its own command (CLI-5)', async () => {
  using home = new PluginHome();
  const { svc } = JSON.parse(formatPackageJson('greeter'));
  const spec = tarball(home, { ...commandPackage({ svc }), 'index.js': greeter() });
  assert.equal((await installCommandPlugin(createDeps(home), { spec })).isRunnerPlugin, true);
  const deps = {
    pluginsDir: home.pluginsDir,
    npm: createNpmRunner(process.env),
    ids: randomIds,
    taken: [],
  };
  assert.is(await installPlugin(deps, { spec }), 'greeter');
});

test('a linked folder is used as it is; a second package cannot bring the same command', async () => {
  using home = new PluginHome();
  const deps = createDeps(home);
  const root = folder(home, commandPackage());
  assert.equal(await linkCommandPlugin(deps, root), { ...PLUGIN, type: 'link', root });
  const other = tarball(home, commandPackage({ name: 'other' }));
  const refusal = await catchRefusal(() => installCommandPlugin(deps, { spec: other }));
  assert.is(
    refusal.message,
    'The command "hello world" already exists, from @acme/svc-commands. Nothing was installed.',
  );
  await uninstallCommandPlugin(deps, '@acme/svc-commands');
  assert.ok(existsSync(join(root, 'package.json')), 'the folder is its author’s');
});

test('a broken one is listed with what is wrong, and can be removed', async () => {
  using home = new PluginHome();
  const deps = createDeps(home);
  const { root } = await installCommandPlugin(deps, { spec: tarball(home, commandPackage()) });
  writeFileSync(join(root, 'package.json'), '{');
  const [broken] = await listCommandPlugins(deps.dir);
  assert.match(broken?.problem ?? '', /package\.json is not JSON/);
  await uninstallCommandPlugin(deps, '@acme/svc-commands');
  assert.equal(await listCommandPlugins(deps.dir), []);
});

test.run();
