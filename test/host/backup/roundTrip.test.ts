import { existsSync, mkdirSync, readlinkSync, statSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inspectStore } from '../../../src/kernel/sqlite/inspectStore.ts';
import { BackupStage } from '../../support/backupStage.ts';
import { git } from '../../support/gitRepository.ts';
import { catchRefusal } from '../../support/refusal.ts';

const test = suite<{ stage: BackupStage }>('backup and restore');

test.before.each((context) => {
  context.stage = new BackupStage();
});
test.after.each(({ stage }) => stage[Symbol.dispose]());

test('a restored home has the files of the home, with their permissions and links', async ({
  stage,
}) => {
  await stage.backUp();
  await stage.restore();
  assert.is(stage.restoredText('blobs/ab/abcd'), 'an artefact');
  assert.is(stage.restoredText('runner.token'), 'secret');
  assert.is(stage.restoredText('team/workflows/own.md'), 'a workflow');
  assert.is(stage.restoredText('work/busy/_sessions/1.1/kickoff.md'), 'begin');
  assert.is(statSync(stage.restoredAt('work/busy/tools/run.sh')).mode & 0o777, 0o755);
  assert.is(readlinkSync(stage.restoredAt('work/busy/link')), '/etc/hostname');
  assert.is(statSync(stage.target).mode & 0o777, 0o700);
});

test('its state is complete, and one that a runner can start on', async ({ stage }) => {
  await stage.backUp();
  await stage.restore();
  const condition = inspectStore(stage.restoredAt('state.db'));
  assert.equal(condition.held ? null : condition.problems, []);
  assert.is.not(existsSync(stage.restoredAt('state.db-wal')), true);
});

test('what belongs to a process or an installation is not in it', async ({ stage }) => {
  await stage.backUp();
  await stage.restore();
  for (const name of ['runner.json', 'logs', 'programs', 'state.db.9.9.9', '.restore', 'jobs'])
    assert.is(existsSync(stage.restoredAt(name)), false, name);
});

test('uncommitted work is in it, and no lock of a git that was at work', async ({ stage }) => {
  await stage.backUp();
  await stage.restore();
  const checkout = stage.restoredAt('work/busy/shop');
  assert.is(stage.restoredText('work/busy/shop/file.txt'), 'not committed');
  assert.is(git(checkout, ['status', '--short']).trim(), 'M file.txt');
});

test('a mirror is in it where work was saved there, and is where checkouts fetch from', async ({
  stage,
}) => {
  await stage.backUp();
  await stage.restore();
  const mirror = stage.restoredAt('mirrors/github/shop.git');
  assert.is(
    git(stage.restoredAt('work/busy/shop'), ['remote', 'get-url', 'origin']).trim(),
    mirror,
  );
  assert.is(git(mirror, ['log', '--format=%s', 'refs/svc/kept/ended/first']).trim(), 'first');
  assert.is(existsSync(stage.restoredAt('mirrors/github/other.git')), false);
});

test('paths in the configuration lead into the restored home', async ({ stage }) => {
  await stage.backUp();
  const { relocated } = await stage.restore();
  assert.equal(JSON.parse(stage.restoredText('config.json')), {
    paths: {},
    tenant: { overlay: { kind: 'localDir', path: stage.restoredAt('team') } },
  });
  assert.equal(relocated, { settings: ['tenant.overlay.path'], checkouts: 1 });
});

for (const [work, folders] of [
  ['all', ['busy', 'ended']],
  ['active', ['busy']],
  ['none', []],
] as const)
  test(`--work ${work} holds the folders of ${folders.join(' and ') || 'no job'}`, async ({
    stage,
  }) => {
    await stage.backUp(work);
    await stage.restore();
    assert.equal(
      ['busy', 'ended'].filter((id) => existsSync(stage.restoredAt(`work/${id}`))),
      [...folders],
    );
  });

test('a gzipped backup is restored in the same way', async ({ stage }) => {
  const file = `${stage.file}.gz`;
  await stage.backUp('none', file);
  const { end } = await stage.restore({ file });
  assert.is(end.unread, 0);
  assert.is(stage.restoredText('runner.token'), 'secret');
});

test('a home with something in it is left as it is', async ({ stage }) => {
  await stage.backUp('none');
  await stage.restore();
  const { code, message } = await catchRefusal(() => stage.restore());
  assert.is(code, 'conflict');
  assert.match(message, /is not empty: .* Nothing was restored\. Move it away/);
});

test('a home may be the uppermost folder of a disk', async ({ stage }) => {
  mkdirSync(stage.at('lost+found'));
  mkdirSync(stage.restoredAt('lost+found'), { recursive: true });
  await stage.backUp('none');
  await stage.restore();
  assert.is(stage.restoredText('runner.token'), 'secret');
});

test('the copy of the state beside it is gone after a backup', async ({ stage }) => {
  await stage.backUp('none');
  assert.is(existsSync(stage.at('state.db.backup.draft')), false);
});

test.run();
