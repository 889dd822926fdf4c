import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { resolveBackupFile } from '../../cli/input/resolveBackupFile.ts';
import { writeBackupFile } from '../../src/host/backup/writeBackupFile.ts';
import { formatBackup, formatRestore } from '../../cli/render/runner/formatBackup.ts';
import { catchRefusal } from '../support/refusal.ts';

const test = suite<{ dir: string }>('cli: backup and restore');

test.before.each((context) => {
  context.dir = mkdtempSync(join(tmpdir(), 'svc-backup-cli-'));
});
test.after.each(({ dir }) => rmSync(dir, { recursive: true, force: true }));

const NOW = Date.UTC(2026, 10, 24, 5, 30, 7);
const around = (cwd: string) => ({ cwd, now: NOW, home: join(cwd, '.svc') });

test('a backup without a name is a file with the time in the present folder', ({ dir }) => {
  assert.is(
    resolveBackupFile(undefined, around(dir)),
    join(dir, 'svc-backup-20261124-053007.tar.gz'),
  );
});

test('a folder gets such a file, a file has the name that is given', ({ dir }) => {
  mkdirSync(join(dir, 'backups'));
  assert.is(
    resolveBackupFile('backups', around(dir)),
    join(dir, 'backups', 'svc-backup-20261124-053007.tar.gz'),
  );
  assert.is(resolveBackupFile('home.tar', around(dir)), join(dir, 'home.tar'));
});

test('a file that exists, one in the home and another ending are refused', async ({ dir }) => {
  writeFileSync(join(dir, 'home.tar'), '');
  const message = async (file: string) =>
    (await catchRefusal(() => resolveBackupFile(file, around(dir)))).message;
  assert.match(await message('home.tar'), 'exists. Name another file, or remove it first.');
  assert.match(await message('.svc/home.tar'), 'is in the home itself and would be lost with it');
  assert.match(await message('home.zip'), 'it must end in .tar or .tar.gz');
});

const writing = (
  tar: AsyncIterable<Uint8Array>,
  file: string,
  signal = new AbortController().signal,
) =>
  writeBackupFile(tar, file, { signal, onBytes: () => {} }).then(
    () => 'written',
    (error: Error) => error.message,
  );

test('a backup that ends before its end leaves no file', async ({ dir }) => {
  const file = join(dir, 'home.tar');
  const breakStream = async function* () {
    yield Buffer.alloc(512);
    throw new Error('the runner is gone');
  };
  assert.is(await writing(breakStream(), file), 'the runner is gone');
  const cut = async function* () {
    yield Buffer.alloc(1024);
  };
  assert.match(await writing(cut(), file), 'is refused');
  assert.equal(readdirSync(dir), []);
});

test('Ctrl-C ends it and leaves no file', async ({ dir }) => {
  const stop = new AbortController();
  const endless = async function* () {
    for (;;) {
      yield Buffer.alloc(512);
      stop.abort(new Error('interrupted'));
    }
  };
  await writing(endless(), join(dir, 'home.tar'), stop.signal);
  assert.is(existsSync(join(dir, 'home.tar.draft')), false);
  assert.is(statSync(dir).isDirectory(), true);
});

const header = {
  format: 1,
  release: '0.3.0',
  schema: 25,
  home: '/home/me/.svc',
  workingDir: '/home/me/.svc/work',
  createdAt: '2026-11-24T05:30:07.000Z',
  work: 'all',
  jobs: 3,
  active: 1,
} as const;
const end = { entries: 12, bytes: 2_097_152, sha256: 'ab', unread: 1, unreadNames: ['/x/secret'] };

test('what a person reads names the file, what is in it and what is not', () => {
  assert.is(
    formatBackup('/b/home.tar.gz', 1_048_576, { header, end }),
    `Backed up /home/me/.svc: 3 job(s), 1 not ended, with all job folders.
/b/home.tar.gz: 1.0 MiB, 12 entries, verified.
Left out because they could not be read: 1 file(s).
  /x/secret
It contains tokens and secrets: keep it private. To restore it: svc restore
`,
  );
});

test('a home that was restored elsewhere is not to run beside the old one', () => {
  const relocated = { settings: ['tenant.overlay.path'], checkouts: 2 };
  assert.is(
    formatRestore({ header, end, home: '/srv/svc', relocated, continued: false }),
    `Restored the home of 2026-11-24T05:30:07.000Z to /srv/svc: 3 job(s), 1 not ended, with all job folders.
Changed in config.json: tenant.overlay.path.
Updated the remote of 2 checkout(s).
The original home is /home/me/.svc. Do not start both: two runners would continue the same jobs.
Check it with svc doctor, then start it with svc start and SVC_HOME=/srv/svc.
`,
  );
});

test.run();
