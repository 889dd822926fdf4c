import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { checkTemporaryFiles } from '../../../../cli/doctor/examineHome.ts';
import { toFailure } from '../../../../cli/failure.ts';
import { runStart } from '../../../../cli/local/start/start.ts';
import { explainTemporaryFolderFault } from '../../../../src/base/system/files/temporaryFolder.ts';

const test = suite<{ dir: string; file: string; before: string | undefined }>(
  'the folder for temporary files',
);

test.before.each((context) => {
  context.dir = mkdtempSync(join(tmpdir(), 'svc-temporary-'));
  context.file = join(context.dir, 'file');
  writeFileSync(context.file, '');
  context.before = process.env.TMPDIR;
});
test.after.each(({ dir, before }) => {
  if (before === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = before;
  rmSync(dir, { recursive: true });
});

test('a folder that does not exist, and a file, are named with the variable', ({ dir, file }) => {
  assert.is(explainTemporaryFolderFault(dir), null);
  const missing = join(dir, 'gone');
  const rest = 'Set TMPDIR to a folder that you can write to, or unset it.';
  const start = 'The folder for temporary files (TMPDIR) is';
  assert.is(
    explainTemporaryFolderFault(missing),
    `${start} ${missing}, which does not exist. ${rest}`,
  );
  assert.is(explainTemporaryFolderFault(file), `${start} ${file}, which is not a folder. ${rest}`);
  const inFile = join(file, 'below');
  assert.match(explainTemporaryFolderFault(inFile) ?? '', inFile);
});

test('svc start names it in one line, and ends with 2', async ({ dir }) => {
  process.env.TMPDIR = join(dir, 'gone');
  let err = '';
  const streams = {
    out: () => {},
    err: (text: string) => {
      err += text;
    },
    terminal: false,
    onStop: () => () => {},
  };
  const code = await runStart(['--no-open'], { SVC_HOME: join(dir, 'home') }, streams);
  assert.is(code, 2);
  assert.match(err, /^Error: The folder for temporary files \(TMPDIR\) is .*\n$/);
});

test('an error of any command within it is no internal error', ({ dir }) => {
  process.env.TMPDIR = join(dir, 'gone');
  const error = Object.assign(new Error('ENOENT: no such file or directory, mkdtemp'), {
    code: 'ENOENT',
    path: join(dir, 'gone', 'svc-abc'),
  });
  assert.match(toFailure(error).text, 'Error: The folder for temporary files (TMPDIR) is');
  assert.match(
    toFailure(Object.assign(error, { path: '/elsewhere' })).text,
    'Internal error in svc',
  );
});

test('svc doctor names it with the fix', ({ dir }) => {
  assert.equal(checkTemporaryFiles(dir).status, 'ok');
  const { status, fix } = checkTemporaryFiles(join(dir, 'gone'));
  assert.is(status, 'error');
  assert.is(fix, 'Set TMPDIR to a folder that you can write to, or unset it.');
});

test.run();
