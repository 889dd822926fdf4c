import { existsSync, mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { compareReleases } from '../../../src/base/settings/compareReleases.ts';
import { Database } from '../../../src/kernel/sqlite/database.ts';
import { inspectStore } from '../../../src/kernel/sqlite/inspectStore.ts';
import { MIGRATIONS } from '../../../src/jobs/store/migrations/migrations.ts';
import { openStore } from '../../../src/jobs/store/openStore.ts';
import { readStateRelease } from '../../../src/kernel/sqlite/takeOverState.ts';
import { KEPT_COPIES } from '../../../src/kernel/sqlite/stateCopies.ts';
import { SvcError } from '../../../src/base/errors/errors.ts';

const test = suite('store: releases');

let dir: string;
let file: string;
test.before.each(() => {
  dir = mkdtempSync(join(tmpdir(), 'svc-release-'));
  file = join(dir, 'state.db');
});
test.after.each(() => rmSync(dir, { recursive: true, force: true }));

const open = (release: string, migrations: readonly string[] = MIGRATIONS) =>
  openStore({ file, pid: 1, now: 0, release, migrations }).close();

const refusal = (release: string, migrations: readonly string[] = MIGRATIONS): string => {
  try {
    open(release, migrations);
  } catch (error) {
    if (error instanceof SvcError) return error.message;
    throw error;
  }
  throw new Error('the store was opened');
};

const lastRelease = (of: string): string | null => {
  const db = new Database(of);
  try {
    return readStateRelease(db);
  } finally {
    db.close();
  }
};

const copies = () => readdirSync(dir).filter((name) => name.startsWith('state.db.'));

test('releases are ordered as semantic versioning orders them', () => {
  const ordered = [
    '0.2.0-beta.2',
    '0.2.0-beta.10',
    '0.2.0-rc.1',
    '0.2.0',
    '0.2.1',
    '0.10.0',
    '1.0.0',
  ];
  for (const [index, release] of ordered.entries()) {
    assert.is(compareReleases(release, release), 0);
    for (const newer of ordered.slice(index + 1)) {
      assert.ok(compareReleases(release, newer) < 0, `${release} < ${newer}`);
      assert.ok(compareReleases(newer, release) > 0, `${newer} > ${release}`);
    }
  }
  assert.is(compareReleases('0.2.0', 'unknown'), 0, 'nothing is known of another form');
});

test('a new home has no copy; its state says which release runs on it', () => {
  open('0.2.0');
  assert.equal(copies(), []);
  const condition = inspectStore(file);
  assert.is(condition.held ? 'held' : condition.release, '0.2.0');
});

test('a newer release copies the state as the older one left it, even where the schema stays (RUN-4)', () => {
  open('0.2.0');
  open('0.2.1');
  assert.equal(copies(), ['state.db.0.2.0']);
  assert.is(lastRelease(`${file}.0.2.0`), '0.2.0');
  assert.is(lastRelease(file), '0.2.1');
});

test('a restart of the same release makes no copy', () => {
  open('0.2.0');
  open('0.2.0');
  assert.equal(copies(), []);
});

test('a copy that was made since the last write is not made again', () => {
  open('0.2.0');
  const db = new Database(file);
  db.copyTo(`${file}.0.2.0`);
  db.close();
  const later = Date.now() / 1000 + 60;
  utimesSync(`${file}.0.2.0`, later, later);
  open('0.2.1');
  assert.equal(copies(), ['state.db.0.2.0']);
  assert.is(lastRelease(`${file}.0.2.0`), '0.2.0');
});

test('an older release is refused; the message names the copy, which it can start from', () => {
  open('0.2.0');
  open('0.2.1');
  const message = refusal('0.2.0');
  assert.match(message, /svc 0\.2\.1 has run on .*state\.db, and this is svc 0\.2\.0/);
  assert.ok(message.includes(`put the copy ${file}.0.2.0 back`), message);
  assert.is(lastRelease(file), '0.2.1', 'the state is as it was');
  assert.ok(refusal('0.1.9').includes('restore a backup of that release'));
});

test('an older release that cannot read the schema is refused, and the message names the copy too', () => {
  open('0.2.0', MIGRATIONS.slice(0, -1));
  open('0.2.1');
  const message = refusal('0.2.0', MIGRATIONS.slice(0, -1));
  assert.match(message, new RegExp(`has version ${MIGRATIONS.length}, this release reads up to`));
  assert.ok(message.includes(`restore the copy ${file}.0.2.0`), message);
});

test('a state of a release that did not say so is copied by the version of its schema', () => {
  openStore({ file, pid: 1, now: 0, migrations: MIGRATIONS.slice(0, -1) }).close();
  open('0.2.1');
  assert.equal(copies(), [`state.db.v${MIGRATIONS.length - 1}`]);
});

test(`the ${KEPT_COPIES} newest copies are kept`, () => {
  for (const release of ['0.2.0', '0.2.1', '0.2.2', '0.2.3']) open(release);
  assert.is(copies().length, KEPT_COPIES);
  assert.ok(existsSync(`${file}.0.2.2`), copies().join(' '));
});

test.run();
