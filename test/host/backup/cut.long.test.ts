import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isBeingRestored } from '../../../src/host/backup/homeRecord.ts';
import type { RestoreStep } from '../../../src/host/backup/restoreHome.ts';
import { BackupStage, RELEASE } from '../../support/backupStage.ts';
import { catchRefusal } from '../../support/refusal.ts';
import { inLongLane } from '../../support/longLane.ts';

const test = suite<{ stage: BackupStage }>('backups that are cut or changed');

test.before(async (context) => {
  context.stage = new BackupStage();
  await context.stage.backUp();
});
test.after(({ stage }) => stage[Symbol.dispose]());

const TAR_BLOCK = 512;
const FOUND = /is refused: .*\. Nothing was restored\.$/;

/** The same backup under another name, changed. */
function copyChanged(stage: BackupStage, name: string, change: (bytes: Buffer) => Buffer): string {
  const file = join(stage.dir, name);
  writeFileSync(file, change(readFileSync(stage.file)));
  return file;
}

test('a backup that is cut is refused, wherever it is cut, and leaves no home', async ({
  stage,
}) => {
  const { size } = statSync(stage.file);
  const places = [0, 1, TAR_BLOCK, size - 1];
  // The last blocks: between its end and the entry before, there too.
  for (let at = 1; at <= 8; at += 1) places.push(size - at * TAR_BLOCK);
  for (let part = 1; part < 10; part += 1) places.push(Math.floor((size * part) / 10));
  const file = join(stage.dir, 'cut.tar');
  for (const bytes of places) {
    // The two empty blocks at the end of a tar say nothing.
    if (bytes >= size - 2 * TAR_BLOCK) continue;
    writeFileSync(file, readFileSync(stage.file));
    truncateSync(file, bytes);
    const { message } = await catchRefusal(() => stage.restore({ file }));
    assert.match(message, FOUND, `cut at ${bytes} of ${size}`);
    assert.is(existsSync(stage.target), false, `cut at ${bytes}`);
  }
});

test('a gzipped one that is cut is refused', async ({ stage }) => {
  const file = join(stage.dir, 'cut.tar.gz');
  await stage.backUp('none', file);
  truncateSync(file, statSync(file).size - 20);
  assert.match((await catchRefusal(() => stage.restore({ file }))).message, FOUND);
});

test('one with another byte in a file is refused', async ({ stage }) => {
  const file = copyChanged(stage, 'changed.tar', (bytes) => {
    bytes[bytes.indexOf('an artefact')] = 'A'.charCodeAt(0);
    return bytes;
  });
  assert.match((await catchRefusal(() => stage.restore({ file }))).message, FOUND);
});

test('one with something after its end is refused, and what is no backup', async ({ stage }) => {
  const twice = copyChanged(stage, 'twice.tar', (bytes) => bytes.subarray(0, bytes.length - 1024));
  appendFileSync(twice, readFileSync(stage.file));
  assert.match((await catchRefusal(() => stage.restore({ file: twice }))).message, FOUND);
  const text = join(stage.dir, 'text.tar');
  writeFileSync(text, 'hello');
  assert.match((await catchRefusal(() => stage.restore({ file: text }))).message, FOUND);
});

test('a file that does not exist is named', async ({ stage }) => {
  const missing = join(stage.dir, 'missing.tar');
  const { code, message } = await catchRefusal(() => stage.restore({ file: missing }));
  assert.is(code, 'not-found');
  assert.match(message, missing);
});

test('a folder is no backup', async ({ stage }) => {
  const { code, message } = await catchRefusal(() => stage.restore({ file: stage.home }));
  assert.is(code, 'not-found');
  assert.match(message, `${stage.home} cannot be read: EISDIR`);
});

test('one of a newer release is refused before anything is read', async ({ stage }) => {
  const file = copyChanged(stage, 'newer.tar', (bytes) => {
    bytes.write('"release":"9.9.11"', bytes.indexOf('"release":"9.9.10"'));
    return bytes;
  });
  const { message } = await catchRefusal(() => stage.restore({ file }));
  assert.match(message, 'was written by svc 9.9.11, and this is svc 9.9.10');
});

const STEPS: readonly RestoreStep[] = ['begun', 'entry', 'read', 'relocated', 'moving', 'moved'];

/** Each takes a process from the sources: in CI the first, one in the middle and the last. */
const PLAYED = inLongLane ? STEPS : STEPS.filter((_, index) => index % 4 === 0);

for (const step of [...PLAYED, 'restored'] as const)
  test(`killed at the step "${step}", a restore is finished by the next one`, async ({ stage }) => {
    const target = join(stage.dir, `killed-${step}`);
    const program = join(import.meta.dirname, '../../support/restoreProcess.ts');
    const args = ['--import', 'tsx', program, stage.file, target, RELEASE, step];
    const { signal } = spawnSync(process.execPath, args);
    assert.is(signal, 'SIGKILL');
    // A runner that is started now refuses the home, or finds it whole.
    assert.is(isBeingRestored(target), step !== 'restored');
    if (step === 'restored') return;
    await stage.restore({ home: target });
    assert.is(readFileSync(join(target, 'blobs/ab/abcd'), 'utf8'), 'an artefact');
    assert.is(existsSync(join(target, 'state.db')), true);
    assert.is(existsSync(join(target, '.restore')), false);
  });

test('a restore that was cut is not finished with another backup', async ({ stage }) => {
  const target = join(stage.dir, 'another');
  const program = join(import.meta.dirname, '../../support/restoreProcess.ts');
  spawnSync(process.execPath, ['--import', 'tsx', program, stage.file, target, RELEASE, 'moved']);
  const other = copyChanged(stage, 'other.tar', (bytes) => bytes);
  const { code, message } = await catchRefusal(() => stage.restore({ file: other, home: target }));
  assert.is(code, 'conflict');
  assert.match(
    message,
    `A restore of ${stage.file} into ${target} was started but did not finish.`,
  );
  assert.is((await stage.restore({ home: target })).continued, true);
});

test.run();
