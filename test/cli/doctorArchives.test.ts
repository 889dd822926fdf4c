import { rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { checkArchives, diagnoseArchives } from '../../cli/doctor/archives.ts';
import { ArchiveStage, createLife } from '../support/archiveStage.ts';

const test = suite('svc doctor: archives');

/** Two archived jobs; the copy of their home is in no process. */
async function archivedHome(stage: ArchiveStage): Promise<string> {
  for (const id of ['a', 'b']) {
    stage.live(id, createLife(3));
    await stage.store.archiver.archive(id);
  }
  return stage.copy();
}
const check = (home: string) => checkArchives(join(home, 'state.db'));
const FIX =
  'Put these files back from a backup. Everything else of the jobs is in the state, and other jobs are not affected.';

test('whole archives, and a home without any, are fine', async () => {
  using stage = new ArchiveStage();
  assert.is((await check(stage.copy())).detail, 'no log is archived');
  assert.is((await check(join(stage.home, 'none'))).detail, 'no log is archived');
  const home = await archivedHome(stage);
  assert.equal(await check(home), { status: 'ok', detail: '2 archives are intact', fix: null });
});

test('those that are missing, cut or another file are named', async () => {
  using stage = new ArchiveStage();
  const home = await archivedHome(stage);
  const [a, b] = ['a', 'b'].map((id) => join(home, 'archive', `${id}.1.ndjson.gz`)) as [
    string,
    string,
  ];
  truncateSync(a, 100);
  rmSync(b);
  const diagnosis = await check(home);
  assert.is(diagnosis.status, 'error');
  assert.match(
    diagnosis.detail,
    `logs of ended jobs cannot be read: ${b}: it is missing; ${a}: it is`,
  );
  assert.is(diagnosis.fix, FIX);
});

test('while a runner has the state, only the files are checked', async () => {
  using stage = new ArchiveStage();
  await archivedHome(stage);
  assert.equal(await check(stage.home), {
    status: 'ok',
    detail:
      '2 archives are intact; whether some are missing can be seen while the runner is stopped',
    fix: null,
  });
  writeFileSync(join(stage.home, 'archive', 'a.1.ndjson.gz'), 'text');
  assert.is((await check(stage.home)).status, 'error');
});

test('an archive that was removed by retention, and a draft, are nothing to report', async () => {
  using stage = new ArchiveStage();
  const home = await archivedHome(stage);
  writeFileSync(join(home, 'archive', 'c.1.ndjson.gz.draft'), 'half');
  writeFileSync(join(home, 'archive', 'c.1.ndjson.gz'), 'of a run that was killed');
  assert.is((await check(home)).status, 'ok');
  await stage.store.archiver.remove('a');
  assert.is((await check(stage.copy())).detail, '1 archive is intact');
});

test('of many, ten are named, and a check that ended early reports how many it read', () => {
  const problems = Array.from({ length: 12 }, (_, n) => ({ path: `/h/${n}`, problem: 'p' }));
  const many = diagnoseArchives({ files: 12, read: 12, problems, knowsAll: true });
  assert.match(many.detail, /\/h\/9: p and 2 more$/);
  assert.is(
    diagnoseArchives({ files: 9, read: 4, problems: [], knowsAll: true }).detail,
    '4 of 9 archives, the newest, are intact',
  );
});

test.run();
