import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { randomIds } from '../../src/base/system/ids/ids.ts';
import { installPlugin } from '../../src/plugins/install.ts';
import { createNpmRunner, type RunNpm } from '../../src/plugins/npm.ts';
import { MAX_UNPACKED_BYTES } from '../../src/plugins/readTarFiles.ts';
import {
  type Entry,
  greeter,
  formatPackageJson,
  pax,
  PluginHome,
  writeFiles,
} from '../support/pluginFolder.ts';
import { catchRefusal } from '../support/refusal.ts';

const test = suite('plugins archives');

const noNpm: RunNpm = () => Promise.reject(new Error('npm was called'));

const install = (
  home: PluginHome,
  spec: string,
  { npm = noNpm, taken = ['command'] }: { npm?: RunNpm; taken?: string[] } = {},
) => installPlugin({ pluginsDir: home.pluginsDir, npm, ids: randomIds, taken }, { spec });

/** Everything below the home but the tarball itself. */
const listFiles = (home: PluginHome): string[] =>
  readdirSync(home.dir, { recursive: true }).map(String).sort();

const file = (path: string, body = 'x'): Entry => ({ path, body });
const ATTACKS: readonly (readonly [what: string, entries: Entry[], why: RegExp])[] = [
  [
    '..',
    [file('package/../../../evil')],
    /"package\/\.\.\/\.\.\/\.\.\/evil", which leaves the package/,
  ],
  ['an absolute path', [file('/tmp/evil')], /the absolute path "\/tmp\/evil"/],
  ['a drive letter', [file('C:/evil')], /the absolute path "C:\/evil"/],
  ['a backslash', [file('package/..\\evil')], /which is not plain/],
  ['a line end in a name', [file('package/a\nb')], /which is not plain/],
  [
    'a link',
    [{ path: 'package/link', type: '2', link: '/etc/passwd' }],
    /"package\/link" in it is a link/,
  ],
  [
    'a hard link',
    [{ path: 'package/hard', type: '1', link: 'package/package.json' }],
    /"package\/hard" in it is a link/,
  ],
  [
    'a link and a file behind it',
    [{ path: 'package/out', type: '2', link: '..' }, file('package/out/evil')],
    /"package\/out" in it is a link/,
  ],
  ['a device', [{ path: 'package/null', type: '3' }], /is not a regular file/],
  [
    'an extended header with ..',
    [{ path: 'x', type: 'x', body: pax('path', 'package/../../evil') }, file('package/fine')],
    /leaves the package/,
  ],
  [
    'an extended header with a link',
    [{ path: 'x', type: 'x', body: pax('linkpath', '/etc') }, file('package/fine')],
    /holds a link/,
  ],
  [
    'a GNU long name with ..',
    [{ path: 'x', type: 'L', body: 'package/../../evil\0' }, file('package/fine')],
    /leaves the package/,
  ],
  ['a file twice', [file('package/INDEX.js')], /contains "INDEX\.js" twice/],
  [
    'a file that is a folder too',
    [file('package/a'), file('package/a/b')],
    /contains "a\/b" inside of what is also a file/,
  ],
  [
    'the reverse',
    [file('package/A/b'), file('package/a')],
    /contains "A\/b" inside of what is also a file/,
  ],
  [
    'settings of npm',
    [file('package/.npmrc', 'git=/tmp/evil\n')],
    /contains "\.npmrc", which configures npm/,
  ],
  ['settings of npm further down', [file('package/node_modules/x/.NPMRC')], /which configures npm/],
  ['a file beside the package', [file('evil')], /is outside the package's folder/],
  [
    'a size that is a lie',
    [{ path: 'package/big', size: 10_000_000 }],
    /is truncated in the middle of a file/,
  ],
  [
    'too many files',
    Array.from({ length: 5_000 }, (_, n) => file(`package/f${n}`, '')),
    /more than 5000 entries/,
  ],
];

test('an archive that would write outside, links or hides something is refused before a file is written (HTTP-6)', async () => {
  for (const [what, entries, why] of ATTACKS) {
    using home = new PluginHome();
    const spec = home.executorTarball('it', greeter(), {}, entries);
    const refusal = await catchRefusal(() => install(home, spec));
    assert.match(refusal.message, why, what);
    assert.equal(refusal.code, 'invalid', what);
    assert.equal(listFiles(home), ['it.tgz', 'plugins'], what);
    assert.not.ok(existsSync('/tmp/evil'), what);
  }
});

test('an archive that unpacks without end stops at the limit', async () => {
  using home = new PluginHome();
  const zeros = '\0'.repeat(MAX_UNPACKED_BYTES + 1);
  const spec = home.tarball('zeros', [file('package/zeros', zeros)]);
  assert.match(
    (await catchRefusal(() => install(home, spec))).message,
    /unpacked it is larger than 104857600 bytes/,
  );
  assert.equal(listFiles(home), ['plugins', 'zeros.tgz']);
});

test('what is no archive, is cut off or damaged is refused', async () => {
  using home = new PluginHome();
  const whole = readFileSync(home.executorTarball('it', greeter()));
  const files = {
    text: Buffer.from('no archive'),
    cut: whole.subarray(0, whole.length - 20),
    empty: Buffer.alloc(0),
  };
  for (const [name, bytes] of Object.entries(files)) {
    writeFileSync(join(home.dir, `${name}.tgz`), bytes);
    assert.match(
      (await catchRefusal(() => install(home, join(home.dir, `${name}.tgz`)))).message,
      /^The archive is refused/,
      name,
    );
  }
});

test('long names and executable bits of an honest archive are kept as far as a plugin needs them', async () => {
  using home = new PluginHome();
  const long = `package/${'deep/'.repeat(30)}end.js`;
  const entries = [
    { path: 'x', type: 'x', body: pax('path', long) },
    file('package/cut', 'long'),
    { path: 'package/dir/', type: '5' },
  ];
  assert.is(await install(home, home.executorTarball('it', greeter(), {}, entries)), 'it');
  assert.is(
    readFileSync(join(home.pluginsDir, 'it', `${'deep/'.repeat(30)}end.js`), 'utf8'),
    'long',
  );
});

test('a manifest whose entry leaves the package, an id that is built in or not the expected one are refused', async () => {
  using home = new PluginHome();
  const escaping = home.executorTarball('away', greeter(), { entry: '../../elsewhere.js' });
  assert.match(
    (await catchRefusal(() => install(home, escaping))).message,
    /svc\.entry "\.\.\/\.\.\/elsewhere\.js" leaves the package/,
  );
  const missing = home.executorTarball('missing', greeter(), { entry: './dist/index.js' });
  assert.match(
    (await catchRefusal(() => install(home, missing))).message,
    /\.\/dist\/index\.js, which is not in the package/,
  );
  const builtIn = home.executorTarball('command', greeter());
  assert.match((await catchRefusal(() => install(home, builtIn))).message, /built into svc/);
  const other = home.executorTarball('it', greeter());
  const deps = { pluginsDir: home.pluginsDir, npm: noNpm, ids: randomIds, taken: [] };
  assert.is(
    (await catchRefusal(() => installPlugin(deps, { spec: other, id: 'that' }))).code,
    'conflict',
  );
  assert.equal(readdirSync(home.pluginsDir), []);
});

test('only names of the registry and absolute paths go to npm, never as an option', async () => {
  using home = new PluginHome();
  for (const spec of [
    '--prefix=/',
    'git+ssh://host/x',
    'https://host/x.tgz',
    'owner/repo',
    './relative',
    'x@https://host',
    '',
  ]) {
    assert.is((await catchRefusal(() => install(home, spec))).code, 'bad-argument', spec);
  }
  const calls: string[][] = [];
  const npm: RunNpm = async (args) => {
    calls.push([...args]);
    return '';
  };
  await catchRefusal(() => install(home, '@svc/plugin@1.2.3', { npm }));
  assert.equal(calls[0]?.slice(0, 2), ['pack', '--ignore-scripts']);
  assert.equal(calls[0]?.slice(-2), ['--', '@svc/plugin@1.2.3']);
});

test('no script of a package or of its dependency runs unless it is allowed; a link in the folder is not followed', async () => {
  using home = new PluginHome();
  const trap = `node -e "require('fs').writeFileSync('${join(home.dir, 'trap')}', process.env.npm_lifecycle_event)"`;
  const scripts = {
    prepack: trap,
    prepare: trap,
    preinstall: trap,
    install: trap,
    postinstall: trap,
  };
  const dependency = writeFiles(join(home.dir, 'dependency'), {
    'package.json': JSON.stringify({ name: 'dependency', version: '1.0.0', scripts }),
    'index.js': '',
  });
  const manifest = {
    ...JSON.parse(formatPackageJson('it')),
    scripts,
    dependencies: { dependency: `file:${dependency}` },
  };
  const folder = writeFiles(join(home.dir, 'it'), {
    'package.json': JSON.stringify(manifest),
    'index.js': greeter(),
  });
  symlinkSync('/etc/passwd', join(folder, 'passwd'));
  const deps = {
    pluginsDir: home.pluginsDir,
    npm: createNpmRunner(process.env),
    ids: randomIds,
    taken: [],
  };
  await installPlugin(deps, { spec: folder });
  assert.not.ok(existsSync(join(home.dir, 'trap')), 'a script ran');
  assert.equal(readdirSync(join(home.pluginsDir, 'it')).sort(), [
    'index.js',
    'node_modules',
    'package.json',
  ]);
  assert.ok(existsSync(join(home.pluginsDir, 'it', 'node_modules', 'dependency', 'index.js')));

  await installPlugin(deps, { spec: folder, allowScripts: true });
  assert.ok(existsSync(join(home.dir, 'trap')), 'allowed, and nothing ran');
});

const ADDRESSES = [
  'git+ssh://git@host.invalid/x.git',
  'git://host.invalid/x',
  'github:owner/repo',
  'owner/repo',
  'https://host.invalid/x.tgz',
  'http://host.invalid/x.tgz',
  'file:../outside',
  'file:inner/../../outside',
  'file:/etc',
  'npm:x@https://host.invalid/x.tgz',
  '/etc',
  'link:../x',
];

test('dependencies from git, the web or a folder outside are refused before npm runs, in every list that npm reads', async () => {
  for (const list of ['dependencies', 'optionalDependencies', 'peerDependencies']) {
    for (const address of ADDRESSES) {
      using home = new PluginHome();
      const json = { ...JSON.parse(formatPackageJson('it')), dependencies: { fine: '^1.0.0' } };
      const body = JSON.stringify({ ...json, [list]: { ...json[list], x: address } });
      const spec = home.tarball('it', [
        { path: 'package/package.json', body },
        { path: 'package/index.js', body: greeter() },
      ]);
      const refusal = await catchRefusal(() => install(home, spec));
      assert.match(refusal.message, 'which is not the npm registry', `${list} ${address}`);
    }
  }
});

test('npm gets no lock file of the package, and git and shell are not for the package to choose', async () => {
  using home = new PluginHome();
  const calls: string[][] = [];
  let files: string[] = [];
  const npm: RunNpm = async (args, cwd) => {
    calls.push([...args]);
    files = readdirSync(cwd).sort();
    return '';
  };
  const body = JSON.stringify({
    ...JSON.parse(formatPackageJson('it')),
    dependencies: {
      a: '^1.0.0',
      b: 'npm:@scope/b@~2',
      c: '>=1 <3 || 4.x',
      d: 'latest',
      e: 'file:./inner',
    },
    overrides: { a: 'git+ssh://host.invalid/x' },
  });
  const spec = home.tarball('it', [
    { path: 'package/package.json', body },
    { path: 'package/index.js', body: greeter() },
    file('package/npm-shrinkwrap.json', '{}'),
    file('package/package-lock.json', '{}'),
  ]);
  await install(home, spec, { npm });
  assert.equal(files, ['index.js', 'package.json']);
  const [args = []] = calls;
  assert.ok(args.includes('--ignore-scripts') && args.includes('--script-shell=/bin/sh'));
  assert.ok(args.some((one) => one.startsWith('--git=')));
});

test('a plugin cannot be called like what every object has', async () => {
  using home = new PluginHome();
  const refusal = await catchRefusal(() =>
    install(home, home.executorTarball('constructor', greeter())),
  );
  assert.match(refusal.message, /svc\.id/);
});

test.run();
