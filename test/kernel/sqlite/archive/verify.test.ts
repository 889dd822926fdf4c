import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { verifyArchive } from '../../../../src/kernel/sqlite/archive/verifyArchive.ts';
import { ArchiveStage, createLife } from '../../../support/archiveStage.ts';

const test = suite('is an archive whole?');

async function writeArchive(stage: ArchiveStage): Promise<string> {
  stage.live('j', createLife(3, 3));
  await stage.store.archiver.archive('j');
  return join(stage.home, 'archive', 'j.1.ndjson.gz');
}
const findProblem = async (path: string): Promise<string | null> => {
  const result = await verifyArchive(path);
  return 'problem' in result ? result.problem : null;
};

test('one that was written says what it holds', async () => {
  using stage = new ArchiveStage();
  const result = await verifyArchive(await writeArchive(stage));
  assert.ok('header' in result);
  assert.is(result.rows, 8);
  assert.equal(result.header, {
    format: 'svc-archive',
    version: 1,
    actor: 'j',
    segment: 1,
    journal: [1, 3],
    frames: [1, 5],
    at: '2026-06-01T00:00:00.000Z',
  });
  const row = stage.store.db.get("SELECT bytes, sha256 FROM archives WHERE actor = 'j' AND n = 1");
  assert.equal([result.bytes, result.sha256], [row?.bytes, row?.sha256]);
});

test('one that is cut at any byte is refused', async () => {
  using stage = new ArchiveStage();
  const whole = readFileSync(await writeArchive(stage));
  const cut = join(stage.home, 'cut.gz');
  for (let length = 0; length < whole.length; length++) {
    writeFileSync(cut, whole.subarray(0, length));
    assert.ok((await findProblem(cut)) !== null, `${length} of ${whole.length} bytes`);
  }
});

test('one with other lines is refused, and so are other files', async () => {
  using stage = new ArchiveStage();
  const file = await writeArchive(stage);
  const text = gunzipSync(readFileSync(file)).toString();
  const put = (lines: string) => writeFileSync(file, gzipSync(lines));
  put(text.replace('line 1', 'line 9'));
  assert.is(await findProblem(file), 'it was changed: its lines are not those that were written');
  put(text.replace('"version":1', '"version":2'));
  assert.is(await findProblem(file), 'it has version 2 of the format, and this svc reads 1');
  put('{}\n');
  assert.is(await findProblem(file), 'it is not an svc archive');
  writeFileSync(file, 'text');
  assert.match((await findProblem(file)) ?? '', /^it is damaged: /);
  assert.is(await findProblem(join(stage.home, 'none')), 'it is missing');
});

test.run();
