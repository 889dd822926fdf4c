import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { loadSettings } from '../../../../src/host/config/settings/loadSettings.ts';
import { catchRefusal } from '../../../support/refusal.ts';

const test = suite<{ home: string }>('settings: schedules');

const packageRoot = fileURLToPath(new URL('../../../..', import.meta.url)).replace(/\/$/, '');
test.before.each(async (context) => {
  context.home = await mkdtemp(join(tmpdir(), 'svc-schedules-'));
});
test.after.each(({ home }) => rm(home, { recursive: true, force: true }));

const load = async (home: string, schedules: unknown) => {
  await writeFile(join(home, 'config.json'), JSON.stringify({ schedules }, null, 2));
  return loadSettings({
    env: { SVC_HOME: home },
    homeDir: '/home/ana',
    flags: {},
    packageRoot,
    hostName: 'laptop',
  });
};
const least = { name: 'nightly', cron: '0 3 * * *', workflow: 'workflows/job.md' };

/** The places of the mistakes, as line and column of the file. */
const listMistakePlaces = async (home: string, ...schedules: object[]): Promise<string[]> =>
  (await catchRefusal(() => load(home, schedules))).errors.map(
    ({ message }) => /schedules\[\d\]\.([\w.]+)|name/.exec(message)?.[1] ?? 'name',
  );

test('name, expression and workflow are enough: UTC, one job for missed times, none beside another', async ({
  home,
}) => {
  const { settings } = await load(home, [least]);
  assert.equal(settings.schedules, [
    {
      ...least,
      enabled: true,
      timeZone: 'UTC',
      type: 'job',
      params: {},
      labels: [],
      missed: 'once',
      overlap: 'skip',
      jitter: '0m',
    },
  ]);
});

test('an expression or zone that cannot be used is found when the file is read', async ({
  home,
}) => {
  assert.equal(await listMistakePlaces(home, { ...least, cron: '0 3 * *' }), ['cron']);
  assert.equal(await listMistakePlaces(home, { ...least, cron: '0 0 31 2 *' }), ['cron']);
  assert.equal(await listMistakePlaces(home, { ...least, timeZone: 'Europe/Berlni' }), [
    'timeZone',
  ]);
});

test('jitter is at most an hour, and shorter than the time between two jobs', async ({ home }) => {
  assert.equal(await listMistakePlaces(home, { ...least, jitter: '2h' }), ['jitter']);
  assert.equal(await listMistakePlaces(home, { ...least, cron: '*/10 * * * *', jitter: '10m' }), [
    'jitter',
  ]);
  await load(home, [{ ...least, cron: '*/10 * * * *', jitter: '9m' }]);
});

test('two schedules cannot have one name', async ({ home }) => {
  assert.equal(await listMistakePlaces(home, least, least), ['name']);
});

test('params of a wrong type are found', async ({ home }) => {
  assert.equal(await listMistakePlaces(home, { ...least, params: { repoSlug: 4 } }), [
    'params.repoSlug',
  ]);
});

test.run();
