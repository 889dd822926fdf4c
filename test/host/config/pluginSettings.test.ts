import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ConfigService } from '../../../src/host/config/configService.ts';
import { readPluginSchemas } from '../../../src/plugins/pluginSchemas.ts';
import type { ConfigPatch } from '../../../src/contract/schema/runner/config.ts';
import { formatPackageJson, writeFiles } from '../../support/pluginFolder.ts';
import { catchRefusal } from '../../support/refusal.ts';

const packageRoot = fileURLToPath(new URL('../../..', import.meta.url));
const test = suite<{ home: string; file: string }>('settings of plugins in the configuration');

test.before.each(async (context) => {
  context.home = await mkdtemp(join(tmpdir(), 'svc-config-'));
  context.file = join(context.home, 'config.json');
});
test.after.each(({ home }) => rm(home, { recursive: true, force: true }));

async function openService(home: string): Promise<ConfigService> {
  const schemas = await readPluginSchemas(home);
  let drafts = 0;
  return new ConfigService({
    sources: { env: { SVC_HOME: home }, homeDir: '/home/ana', flags: {}, packageRoot },
    createDraftName: () => `draft-${++drafts}`,
    pluginSettings: schemas.settings,
    checkSettings: schemas.check,
  });
}

const settingsPatch = (id: string, config: Record<string, unknown>): ConfigPatch => ({
  plugins: { installed: { [id]: { config } } },
});
const store = (file: string, id: string, config: object) =>
  writeFile(file, JSON.stringify({ plugins: { installed: { [id]: { config } } } }));

for (const [says, id, config, error] of [
  [
    'a text for a number',
    'builtin',
    { maxTurns: 'zzz' },
    {
      pointer: '/plugins/installed/builtin/config/maxTurns',
      message: '"maxTurns" must be a whole number',
    },
  ],
  [
    'a number for a secret',
    'github',
    { token: 5 },
    { pointer: '/plugins/installed/github/config/token', message: '"token" must be a string' },
  ],
  [
    'a setting that does not exist',
    'github',
    { tokn: 'x' },
    {
      pointer: '/plugins/installed/github/config/tokn',
      message: '"tokn" is not known (did you mean "token"?)',
    },
  ],
  [
    'a setting of a plugin that is installed',
    'own',
    { size: true },
    { pointer: '/plugins/installed/own/config/size', message: '"size" must be a whole number' },
  ],
] as const)
  test(`${says} is refused, with its place, and the file stays (CFG-2, HTTP-5)`, async ({
    home,
    file,
  }) => {
    await writeFiles(join(home, 'plugins', 'own'), {
      'package.json': formatPackageJson('own', { settings: OWN }),
      'index.js': '',
    });
    await writeFile(file, '{}');
    const service = await openService(home);
    const refusal = await catchRefusal(() => service.change(settingsPatch(id, config), null));
    assert.is(refusal.code, 'invalid');
    assert.equal(refusal.errors, [error]);
    assert.is(await readFile(file, 'utf8'), '{}');
  });

const OWN = { size: { type: 'integer', description: 'How large.' } };

test('a required setting may follow, and is named until it does', async ({ home, file }) => {
  await writeFile(file, '{}');
  const service = await openService(home);
  const { reply } = await service.change(
    settingsPatch('jira', { baseUrl: 'https://j.test' }),
    null,
  );
  assert.match(reply.warnings.join(' '), 'plugins.installed.jira.config: "token" is missing');
  assert.match(reply.warnings.join(' '), 'jira cannot be used until this is fixed');
});

test('a setting that was wrong before is named, and keeps no other change back', async ({
  home,
  file,
}) => {
  await store(file, 'builtin', { maxTurns: 'zzz' });
  const service = await openService(home);
  const { reply } = await service.change(settingsPatch('builtin', { model: 'm1' }), null);
  assert.match(reply.warnings.join(' '), '"maxTurns" must be a whole number');
  assert.is(JSON.parse(await readFile(file, 'utf8')).plugins.installed.builtin.config.model, 'm1');
});

test('a secret that comes back hidden is kept', async ({ home, file }) => {
  await store(file, 'github', { token: 'ghp_canary_12345' });
  const service = await openService(home);
  await service.change(settingsPatch('github', { token: '********', pollSeconds: 9 }), null);
  const { config } = JSON.parse(await readFile(file, 'utf8')).plugins.installed.github;
  assert.equal(config, { token: 'ghp_canary_12345', pollSeconds: 9 });
});

test('settings of a plugin that is not installed are written, with a warning', async ({
  home,
  file,
}) => {
  await writeFile(file, '{}');
  const service = await openService(home);
  const { reply } = await service.change(settingsPatch('gone', { size: 'x' }), null);
  assert.match(reply.warnings.join(' '), 'no plugin with this ID is part of svc or installed');
});

test('settings of a plugin whose manifest cannot be read are written, with a warning', async ({
  home,
  file,
}) => {
  await writeFiles(join(home, 'plugins', 'own'), { 'package.json': '{' });
  await writeFile(file, '{}');
  const service = await openService(home);
  const { reply } = await service.change(settingsPatch('own', { size: 'x' }), null);
  assert.match(reply.warnings.join(' '), 'its settings are not checked');
});

test('what is wrong can be read without a runner, and no secret can', async ({ home, file }) => {
  await store(file, 'github', { token: 123456789, pollSeconds: 'often' });
  const { reply } = await (await openService(home)).read();
  const values = reply.values.map(({ key, value }) => [key, value]);
  assert.equal(
    values.filter(([key]) => String(key).startsWith('plugins.installed.github.config')),
    [
      ['plugins.installed.github.config.pollSeconds', 'often'],
      ['plugins.installed.github.config.token', '********'],
    ],
  );
});

test.run();
