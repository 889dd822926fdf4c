import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { loadSettings } from '../../../src/host/config/settings/loadSettings.ts';
import { BUILT_IN_EXECUTORS, BUILT_IN_PLUGINS } from '../../../src/base/settings/builtInPlugins.ts';
import { makeFolder } from '../../../src/base/system/files/makeFolder.ts';
import { BUILT_IN_MANIFESTS } from '../../../src/plugins/builtInCatalogue.ts';

const test = suite<{ home: string }>('warnings about a configuration');

test.before.each(async (context) => {
  context.home = await mkdtemp(join(tmpdir(), 'svc-warnings-'));
});
test.after.each(({ home }) => rm(home, { recursive: true, force: true }));

const packageRoot = join(import.meta.dirname, '../../..');
const load = (home: string) =>
  loadSettings({ env: { SVC_HOME: home }, homeDir: home, flags: {}, packageRoot });

async function listWarnings(home: string, config: object): Promise<string[]> {
  await writeFile(join(home, 'config.json'), JSON.stringify(config));
  return (await load(home)).warnings;
}

test('a team overlay that does not exist is named: its workflows would be missing silently (CFG-2)', async ({
  home,
}) => {
  const overlay = { kind: 'localDir', path: './team' };
  assert.equal(await listWarnings(home, { tenant: { overlay } }), [
    `tenant.overlay.path: the folder ${join(home, 'team')} does not exist, so its workflows are not found`,
  ]);
  await mkdir(join(home, 'team'));
  assert.equal(await listWarnings(home, { tenant: { overlay } }), []);
});

test('an unknown provider and an unknown plugin are named with the closest one (CFG-2)', async ({
  home,
}) => {
  const config = {
    llm: { defaultProvider: 'clude' },
    plugins: { installed: { githb: { enabled: true } } },
  };
  assert.equal(await listWarnings(home, config), [
    'llm.defaultProvider is "clude", but no executor has this ID. Did you mean claude?',
    'plugins.installed.githb: no plugin with this ID is part of svc or installed. Did you mean github?',
  ]);
  await mkdir(join(home, 'plugins', 'clude'), { recursive: true });
  await mkdir(join(home, 'plugins', 'githb'));
  assert.equal(await listWarnings(home, config), []);
  assert.equal(await listWarnings(home, { llm: { defaultProvider: 'acp:opencode' } }), []);
});

test('a variable in place of a token is named by its key: svc replaces none (CFG-2)', async ({
  home,
}) => {
  const github = { config: { token: '$' + '{GITHUB_TOKEN}' } };
  const [warning = ''] = await listWarnings(home, { plugins: { installed: { github } } });
  assert.match(warning, 'plugins.installed.github.config.token is the name of a variable');
  assert.not.match(warning, 'GITHUB_TOKEN');
});

test('a secret that is too short to be kept out of texts is named by its key, without it (CFG-2)', async ({
  home,
}) => {
  const mcpServers = {
    docs: { type: 'stdio', command: 'docs', args: ['--token', 'a1'], env: { TOKEN: 'x9' } },
  };
  const github = { config: { token: 'ab12' } };
  const warnings = await listWarnings(home, { plugins: { installed: { github } }, mcpServers });
  const short = (key: string) =>
    `${key} has a secret of fewer than 6 characters: it is not removed from logs, journals and replies. Use a longer one`;
  assert.equal(warnings, [
    short('plugins.installed.github.config.token'),
    short('mcpServers.docs.args.1'),
    short('mcpServers.docs.env.TOKEN'),
  ]);
});

test('a file in another encoding is refused with the line (CFG-2)', async ({ home }) => {
  const latin1 = Buffer.from('{\n  "tenant": { "displayName": "Caf\xe9" }\n}\n', 'latin1');
  await writeFile(join(home, 'config.json'), latin1);
  const refusal = await load(home).catch((error: Error) => error.message);
  assert.is(
    refusal,
    `The configuration file ${join(home, 'config.json')} is not UTF-8: line 2 has bytes of another encoding. Save it as UTF-8.`,
  );
});

test('the ids of built-in plugins are those of the catalogue', () => {
  assert.equal([...BUILT_IN_PLUGINS].sort(), BUILT_IN_MANIFESTS.map(({ id }) => id).sort());
  assert.equal(
    [...BUILT_IN_EXECUTORS].sort(),
    BUILT_IN_MANIFESTS.filter(({ kind }) => kind === 'executor')
      .map(({ id }) => id)
      .sort(),
  );
});

test('a folder below /proc is an error and never an endless search', async ({ home }) => {
  const code = (path: string) =>
    makeFolder(path, 0o700).then(
      () => 'made',
      (error: NodeJS.ErrnoException) => error.code,
    );
  assert.is(await code('/proc/svc-home/work'), 'ENOENT');
  assert.is(await code(join(home, 'a', 'b')), 'made');
  await writeFile(join(home, 'file'), '');
  assert.is(await code(join(home, 'file', 'b')), 'ENOTDIR');
});

test.run();
