import { cpSync, readFileSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findHomeOrigin, saveHomeRecord } from '../../../src/host/backup/homeRecord.ts';
import {
  takeUpMovedConfig,
  relocateCheckouts,
  removeWorkingDirSetting,
} from '../../../src/host/backup/relocate.ts';
import { randomIds } from '../../../src/base/system/ids/ids.ts';
import { BackupStage } from '../../support/backupStage.ts';
import { git } from '../../support/gitRepository.ts';

const test = suite<{ stage: BackupStage; moved: string }>('a home that has moved');

test.before.each(async (context) => {
  context.stage = new BackupStage();
  context.moved = join(context.stage.dir, 'moved');
  await saveHomeRecord(context.stage.home, randomIds);
});
test.after.each(({ stage }) => stage[Symbol.dispose]());

test('a home is here where it was recorded, under another name too', async ({ stage }) => {
  assert.is(await findHomeOrigin(stage.home), 'here');
  const link = join(stage.dir, 'link');
  symlinkSync(stage.home, link);
  assert.is(await findHomeOrigin(link), 'here');
});

test('a home that was moved knows where it was', async ({ stage, moved }) => {
  renameSync(stage.home, moved);
  assert.equal(await findHomeOrigin(moved), { from: stage.home, isCopy: false });
});

test('a copied home is another case than a moved one', async ({ stage, moved }) => {
  cpSync(stage.home, moved, { recursive: true });
  assert.equal(await findHomeOrigin(moved), { from: stage.home, isCopy: true });
});

test('a new home at the former place does not make the moved one a copy', async ({
  stage,
  moved,
}) => {
  renameSync(stage.home, moved);
  cpSync(join(moved, 'team'), stage.home, { recursive: true });
  await saveHomeRecord(stage.home, randomIds);
  assert.equal(await findHomeOrigin(moved), { from: stage.home, isCopy: false });
});

test('its configuration is changed before it is read, and what people are given says what', async ({
  stage,
  moved,
}) => {
  renameSync(stage.home, moved);
  const file = join(moved, 'config.json');
  const note = await takeUpMovedConfig({ home: moved, file }, randomIds);
  assert.is(
    note,
    `The home was moved from ${stage.home} to ${moved}. Changed in ${file}: paths.workingDir, tenant.overlay.path.`,
  );
  assert.is(JSON.parse(readFileSync(file, 'utf8')).paths.workingDir, join(moved, 'jobs'));
  assert.is(await takeUpMovedConfig({ home: moved, file }, randomIds), null);
});

for (const text of ['{}', '{ "paths": {} }', '', 'no JSON'])
  test(`a configuration of ${JSON.stringify(text)} is left as it is`, async ({ stage }) => {
    stage.write('config.json', text);
    await removeWorkingDirSetting(stage.at('config.json'), randomIds);
    assert.is(readFileSync(stage.at('config.json'), 'utf8'), text);
  });

test('its checkouts fetch from where the mirrors are now', async ({ stage, moved }) => {
  renameSync(stage.home, moved);
  const move = { from: stage.home, to: moved };
  assert.is(await relocateCheckouts(join(moved, 'jobs'), move), 1);
  assert.is(
    git(join(moved, 'jobs/busy/shop'), ['remote', 'get-url', 'origin']).trim(),
    join(moved, 'mirrors/github/shop.git'),
  );
  assert.is(await relocateCheckouts(join(moved, 'jobs'), move), 0);
});

test('a path with characters that git escapes is read as it was', async ({ stage }) => {
  const odd = join(stage.dir, 'a "b" #c');
  renameSync(stage.home, odd);
  await relocateCheckouts(join(odd, 'jobs'), { from: stage.home, to: odd });
  const again = join(stage.dir, 'plain');
  renameSync(odd, again);
  await relocateCheckouts(join(again, 'jobs'), { from: odd, to: again });
  assert.is(
    git(join(again, 'jobs/busy/shop'), ['remote', 'get-url', 'origin']).trim(),
    join(again, 'mirrors/github/shop.git'),
  );
});

test.run();
