import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { BuiltCommandLine } from '../support/cli/builtCommandLine.ts';
import { commandPackage, createManifest } from '../support/cli/commandPackage.ts';
import { type FakeRunner, fakeRunner } from '../support/http/fakeRunner.ts';
import { formatPackageJson, packTar, writeFiles } from '../support/pluginFolder.ts';
import { longLane } from '../support/longLane.ts';

const test = suite<{ svc: BuiltCommandLine; runner: FakeRunner }>(
  'the program with commands of plugins',
);
const long = longLane(test);

test.before(async (context) => {
  context.svc = await BuiltCommandLine.build();
  context.runner = await fakeRunner({ 'GET /jobs': [200, []] });
});
test.after(async ({ svc, runner }) => {
  await runner.close();
  svc[Symbol.dispose]();
});

function tarball(svc: BuiltCommandLine, files: Record<string, string>): string {
  const file = join(svc.dir, 'packed.tgz');
  const entries = Object.entries(files).map(([path, body]) => ({ path: `package/${path}`, body }));
  writeFileSync(file, gzipSync(packTar(entries)));
  return file;
}

const HINT = 'Runner plugins (executors, forges, trackers, deciders): svc plugin list\n';

test('svc plugins install brings a command, svc plugins lists it, svc plugins uninstall takes it away (CLI-5)', async ({
  svc,
}) => {
  const spec = tarball(svc, commandPackage());
  assert.equal(await svc.run(['plugins', 'install', spec]), {
    code: 0,
    out: '@acme/svc-commands 1.0.0\n  svc hello world\n',
    err: '',
  });
  assert.equal(await svc.run(['hello', 'world', 'you']), {
    code: 0,
    out: 'hello you of @svc/runner\n',
    err: '',
  });
  const list =
    'PACKAGE             VERSION  FROM       COMMANDS\n@acme/svc-commands  1.0.0    installed  hello world\n';
  assert.equal(await svc.run(['plugins']), { code: 0, out: list, err: HINT });
  assert.match(
    (await svc.run(['--help'])).out,
    /TOPICS[\s\S]*hello [\s\S]*plugins +List the packages that add commands/,
  );
  assert.equal((await svc.run(['plugins', 'uninstall', '@acme/svc-commands'])).code, 0);
  assert.is((await svc.run(['hello', 'world'])).code, 127);
});

long(
  'everything is stored in the home that SVC_HOME names, and nowhere else (CLI-5)',
  async ({ svc }) => {
    const other = join(svc.dir, 'other');
    const env = {
      SVC_HOME: other,
      SVC_DATA_DIR: join(svc.dir, 'elsewhere'),
      XDG_CACHE_HOME: join(svc.dir, 'elsewhere'),
    };
    await svc.run(['plugins', 'install', tarball(svc, commandPackage())], env);
    assert.is((await svc.run(['hello', 'world'], env)).code, 0);
    assert.is((await svc.run(['hello', 'world'])).code, 127);
    assert.equal((await svc.run(['autocomplete', 'bash', '--refresh-cache'], env)).code, 0);
    assert.equal(readdirSync(join(other, 'commands')).sort(), [
      'cache',
      'node_modules',
      'package.json',
    ]);
    assert.equal(existsSync(join(svc.dir, 'elsewhere')), false);
    assert.equal(existsSync(join(svc.dir, '.cache')), false);
  },
);

long(
  'completion knows commands of svc and of plugins, and learns of those that come later (CLI-5)',
  async ({ svc }) => {
    await svc.run(['autocomplete', 'bash', '--refresh-cache']);
    const script = () =>
      readFileSync(join(svc.home, 'commands/cache/autocomplete/functions/bash/svc.bash'), 'utf8');
    assert.match(script(), /^plugins:install --json/m);
    assert.not.match(script(), /^hello:world/m);
    await svc.run(['plugins', 'install', tarball(svc, commandPackage())]);
    assert.match(script(), /^hello:world/m);
    await svc.run(['plugins', 'uninstall', '@acme/svc-commands']);
    assert.not.match(script(), /^hello:world/m);
  },
);

long('a linked plugin runs on the copy of oclif that it brings itself (CLI-5)', async ({ svc }) => {
  const command = `import { Command, Flags } from '@oclif/core';
    export default class Hello extends Command {
      static flags = { name: Flags.string({ default: 'no one' }) };
      async run() { const { flags } = await this.parse(Hello); this.log('hello ' + flags.name + ' ' + this.config.dataDir); }
    }`;
  const { 'oclif.manifest.json': _, ...bare } = commandPackage({}, command);
  const folder = writeFiles(join(svc.dir, 'linked'), bare);
  mkdirSync(join(folder, 'node_modules/@oclif'), { recursive: true });
  symlinkSync(resolve('node_modules/@oclif/core'), join(folder, 'node_modules/@oclif/core'));
  assert.equal((await svc.run(['plugins', 'link', folder])).code, 0);
  const result = await svc.run(['hello', 'world', '--name', 'you']);
  assert.equal(result, { code: 0, out: `hello you ${join(svc.home, 'commands')}\n`, err: '' });
  await svc.run(['plugins', 'uninstall', '@acme/svc-commands']);
});

long(
  'a plugin that throws or never ends when it is loaded blocks no command of svc (CLI-5)',
  async ({ svc, runner }) => {
    const env = { SVC_HOME: join(svc.dir, 'of-its-own'), SVC_URL: runner.url };
    for (const code of ["throw new Error('broken')", 'for (;;);']) {
      const { 'oclif.manifest.json': _, ...bare } = commandPackage({}, code);
      const folder = writeFiles(join(svc.dir, 'broken'), bare);
      assert.is((await svc.run(['plugins', 'link', folder], env)).code, 0, code);
      const jobs = await svc.run(['jobs', '--json'], env);
      assert.equal(jobs.code, 0, code);
      assert.equal(jobs.out, '[]\n', code);
      assert.equal(jobs.err, '', code);
      assert.is((await svc.run(['plugins', 'uninstall', '@acme/svc-commands'], env)).code, 0, code);
    }
  },
);

long(
  'a damaged list of plugins stops no command of svc, and says how to fix it (CLI-5)',
  async ({ svc, runner }) => {
    const list = join(svc.home, 'commands/package.json');
    writeFileSync(list, '{ "oclif": ');
    assert.is((await svc.run(['jobs'], { SVC_URL: runner.url })).code, 0);
    const { code, err } = await svc.run(['plugins']);
    assert.is(code, 2);
    assert.match(err, `The list of plugins ${list} cannot be read`);
    writeFileSync(list, '{}');
  },
);

test('a plugin cannot take the name of a command, a topic, or of anything below svc plugins (CLI-5)', async ({
  svc,
}) => {
  for (const id of ['jobs', 'pr', 'pr:list', 'plugins:more', 'help', 'start', 'jobs:all']) {
    const spec = tarball(svc, {
      ...commandPackage(),
      'oclif.manifest.json': createManifest({ [id]: {} }),
    });
    const { code, err } = await svc.run(['plugins', 'install', spec]);
    assert.equal(code, 1);
    assert.equal(
      err,
      `Error: The package adds the command "${id.replace(':', ' ')}", which svc already has. Nothing was installed.\n`,
    );
  }
  const spec = tarball(svc, {
    ...commandPackage(),
    'oclif.manifest.json': createManifest({ 'pr:mine': {} }),
  });
  assert.is((await svc.run(['plugins', 'install', spec])).code, 0);
  await svc.run(['plugins', 'uninstall', '@acme/svc-commands']);
});

long('each help names the other, and the wrong one says which to use (CLI-5)', async ({ svc }) => {
  const helps = await Promise.all(
    [['plugin', 'install'], ['plugins', 'install'], ['plugin', 'list'], ['plugins']].map((words) =>
      svc.run([...words, '--help']),
    ),
  );
  const plain = helps.map(({ out }) => out.replace(/\s+/g, ' '));
  assert.match(plain[0] ?? '', 'svc plugins install');
  assert.match(plain[1] ?? '', 'svc plugin install');
  assert.match(plain[2] ?? '', 'svc plugins.');
  assert.match(plain[3] ?? '', 'svc plugin list');

  const runnerPlugin = tarball(svc, {
    'package.json': formatPackageJson('greeter'),
    'index.js': '',
  });
  const wrong = await svc.run(['plugins', 'install', runnerPlugin]);
  assert.equal(wrong.code, 2);
  assert.equal(
    wrong.err,
    'Error: The package is a plugin of the runner and adds no commands. Use: svc plugin install\n',
  );
  const other = await svc.run(['plugin', 'uninstall', '@acme/svc-commands']);
  assert.match(other.err, 'To remove a package that adds commands: svc plugins uninstall');
});

test('a word that is no command is 127 with a hint, below svc plugins too (CLI-5)', async ({
  svc,
}) => {
  for (const [argv, help] of [
    [['jobz'], 'svc help'],
    [['plugins', 'instal'], 'svc help plugins'],
    [['plugin', 'instal'], 'svc help plugin'],
  ] as const) {
    const { code, err } = await svc.run(argv);
    assert.equal(code, 127);
    assert.ok(err.includes(`${argv.join(' ')} is not an svc command`));
    assert.ok(err.includes(help));
  }
});

test.run();
