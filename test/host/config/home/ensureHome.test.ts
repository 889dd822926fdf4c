import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ensureHome } from '../../../../src/host/config/home/ensureHome.ts';
import { loadSettings } from '../../../../src/host/config/settings/loadSettings.ts';
import {
  readRunnerInfo,
  removeRunnerInfo,
  writeRunnerInfo,
} from '../../../../src/host/config/home/runnerInfo.ts';
import { readOrMintToken, readToken } from '../../../../src/host/config/home/runnerToken.ts';
import { listInstalledIds } from '../../../../src/plugins/install.ts';
import { SvcError } from '../../../../src/base/errors/errors.ts';
import { randomIds } from '../../../../src/base/system/ids/ids.ts';

const test = suite<{ home: string }>('home');

test.before.each(async (context) => {
  context.home = await mkdtemp(join(tmpdir(), 'svc-home-'));
});
test.after.each(({ home }) => rm(home, { recursive: true, force: true }));

const readMode = async (path: string): Promise<string> =>
  ((await stat(path)).mode & 0o777).toString(8);

const readSettings = async (home: string) =>
  (
    await loadSettings({
      env: { SVC_HOME: home },
      homeDir: home,
      flags: {},
      packageRoot: fileURLToPath(new URL('../../../..', import.meta.url)),
    })
  ).settings;

const message = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'nothing was thrown',
    (error: unknown) => {
      if (error instanceof SvcError) return `${error.code}: ${error.message}`;
      throw error;
    },
  );

test('the folders of a home are made for its owner alone, and a second time changes nothing (RUN-1)', async ({
  home,
}) => {
  const settings = await readSettings(join(home, 'new/svc'));
  await ensureHome(settings);
  await writeFile(join(settings.paths.workingDir, 'kept'), '');
  await ensureHome(settings);
  assert.equal((await readdir(settings.home)).sort(), ['blobs', 'intelligence', 'work']);
  assert.equal(await readdir(settings.paths.workingDir), ['kept']);
  const { workingDir, intelligenceDir, blobs } = settings.paths;
  for (const folder of [settings.home, workingDir, intelligenceDir, blobs])
    assert.is(await readMode(folder), '700');
});

test('a folder that cannot be created is named', async ({ home }) => {
  await writeFile(join(home, 'work'), '');
  assert.match(
    await message(ensureHome(await readSettings(home))),
    `config-invalid: The folder ${home}/work cannot be created: `,
  );
});

test('a home below a file has no plugins', async () => {
  assert.equal(await listInstalledIds('/dev/null/.svc/plugins'), []);
});

test('the token is minted once, with mode 0600, and two starts at the same time get the same one', async ({
  home,
}) => {
  const file = join(home, 'runner.token');
  assert.is(await readToken(file), null);
  const tokens = await Promise.all([1, 2, 3, 4].map(() => readOrMintToken(file, randomIds)));
  assert.is(new Set(tokens).size, 1);
  assert.match(tokens[0] ?? '', /^[A-Za-z0-9_-]{43}$/);
  assert.is(await readFile(file, 'utf8'), `${tokens[0]}\n`);
  assert.is(await readMode(file), '600');
  assert.is(await readOrMintToken(file, randomIds), tokens[0]);
  assert.equal(await readdir(home), ['runner.token']);
});

test('a token file without a token is refused, not replaced, and its content is not shown', async ({
  home,
}) => {
  const file = join(home, 'runner.token');
  await writeFile(file, 'hunter2\n');
  const expected = `config-invalid: The file ${file} contains no token. Remove it; svc start creates a new one.`;
  assert.is(await message(readToken(file)), expected);
  assert.is(await message(readOrMintToken(file, randomIds)), expected);
  assert.is(await readFile(file, 'utf8'), 'hunter2\n');
});

test('runner.json tells where the runner is, for the owner alone, until that runner takes it away', async ({
  home,
}) => {
  const info = { url: 'http://127.0.0.1:4100', pid: 4711, startedAt: '2026-01-01T12:00:00.000Z' };
  assert.is(await readRunnerInfo(home), null);
  await writeRunnerInfo(home, info);
  assert.equal(await readRunnerInfo(home), info);
  assert.is(await readMode(join(home, 'runner.json')), '600');
  await removeRunnerInfo(home, 4712);
  assert.equal(await readRunnerInfo(home), info);
  await removeRunnerInfo(home, 4711);
  assert.equal(await readdir(home), []);
});

test('a runner.json that makes no sense counts as none', async ({ home }) => {
  for (const text of [
    '',
    '[]',
    '{"url":"x","pid":1,"startedAt":""}',
    '{"url":"http://127.0.0.1:1"}',
  ]) {
    await writeFile(join(home, 'runner.json'), text);
    assert.is(await readRunnerInfo(home), null, text);
  }
});

test.run();
