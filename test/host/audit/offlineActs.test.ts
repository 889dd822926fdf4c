import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SvcError } from '../../../src/base/errors/errors.ts';
import {
  type OfflineAct,
  runOfflineAct,
  takeOfflineActs,
} from '../../../src/host/audit/offlineActs.ts';

const test = suite<{ home: string }>('audit: acts without a runner');

test.before.each(async (context) => {
  context.home = await mkdtemp(join(tmpdir(), 'svc-audit-'));
});
test.after.each(({ home }) => rm(home, { recursive: true, force: true }));

const BACKUP = { at: 1_000, action: 'backup', target: { work: 'all' } };

async function take(home: string, isKnown: (act: OfflineAct) => boolean = () => false) {
  const acts: OfflineAct[] = [];
  await takeOfflineActs(home, { isKnown, keep: async (more) => void acts.push(...more) });
  return acts;
}

test('an act is noted with the user of the system before it is done, and taken once', async ({
  home,
}) => {
  const before = await runOfflineAct(home, BACKUP, () => readdir(home));
  assert.equal(before, ['audit.offline']);
  assert.equal(await take(home), [
    {
      ...BACKUP,
      person: userInfo().username,
      failed: null,
      via: 'cli',
      address: null,
      jobId: null,
    },
  ]);
  assert.equal(await take(home), []);
  assert.equal(await readdir(join(home, 'audit.offline')), []);
});

test('one that fails has the code of its error', async ({ home }) => {
  const fail = async () => {
    throw new SvcError('conflict', 'It exists.');
  };
  await runOfflineAct(home, BACKUP, fail).catch(() => undefined);
  assert.equal(
    (await take(home)).map(({ failed }) => failed),
    ['conflict'],
  );
});

test('a crash after they were kept brings none twice', async ({ home }) => {
  await runOfflineAct(home, BACKUP, async () => undefined);
  assert.equal(await take(home, ({ at }) => at === BACKUP.at), []);
  assert.equal(await readdir(join(home, 'audit.offline')), []);
});

test('an act that is noted while a runner takes the others is taken by the next one', async ({
  home,
}) => {
  await runOfflineAct(home, BACKUP, async () => undefined);
  await takeOfflineActs(home, {
    isKnown: () => false,
    keep: () => runOfflineAct(home, { ...BACKUP, at: 2_000 }, async () => undefined),
  });
  assert.equal(
    (await take(home)).map(({ at }) => at),
    [2_000],
  );
});

test('notes stay where they cannot be kept', async ({ home }) => {
  await runOfflineAct(home, BACKUP, async () => undefined);
  const isRefused = await takeOfflineActs(home, {
    isKnown: () => false,
    keep: () => Promise.reject(new Error('full')),
  }).catch(() => true);
  assert.is(isRefused, true);
  assert.is((await take(home)).length, 1);
});

test('a file that is no note is passed over', async ({ home }) => {
  await runOfflineAct(home, BACKUP, async () => undefined);
  await writeFile(join(home, 'audit.offline', '1.json'), '{"at":1}');
  await writeFile(join(home, 'audit.offline', '2.json'), 'not json');
  assert.is((await take(home)).length, 1);
});

test.run();
