import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { startBackup } from '../../src/host/backup/startBackup.ts';
import { type RestoreResult, restoreHome } from '../../src/host/backup/restoreHome.ts';
import { copyClosedState } from '../../src/jobs/store/copiedState.ts';
import { inspectStore } from '../../src/kernel/sqlite/inspectStore.ts';
import { STORE_VERSION } from '../../src/jobs/store/migrations/migrations.ts';
import { openStore } from '../../src/jobs/store/openStore.ts';
import { randomIds } from '../../src/base/system/ids/ids.ts';
import type { BackupWork } from '../../src/contract/schema/runner/backup.ts';
import { writeBackupFile } from '../../src/host/backup/writeBackupFile.ts';
import { git } from './gitRepository.ts';

export const RELEASE = '9.9.10';
/** Epoch ms of every backup. */
export const BACKED_UP_AT = Date.UTC(2026, 10, 24);

/** A home with everything: two jobs with checkouts, one ended, mirrors, files of a process. */
export class BackupStage {
  readonly dir = mkdtempSync(join(tmpdir(), 'svc-backup-'));
  readonly home = join(this.dir, 'home');
  readonly file = join(this.dir, 'home.tar');
  readonly target = join(this.dir, 'elsewhere', 'home');

  /** `repositories` false: without mirrors and checkouts, for tests that do not look at them. */
  constructor({ repositories = true } = {}) {
    mkdirSync(this.home);
    openStore({ file: join(this.home, 'state.db'), pid: 1, now: 0, release: RELEASE }).close();
    this.#jobs();
    const files: Record<string, string> = {
      'config.json': JSON.stringify({
        paths: { workingDir: this.at('jobs') },
        tenant: { overlay: { kind: 'localDir', path: this.at('team') } },
      }),
      'runner.token': 'secret',
      'blobs/ab/abcd': 'an artefact',
      'team/workflows/own.md': 'a workflow',
      'jobs/busy/_sessions/1.1/kickoff.md': 'begin',
      'jobs/busy/tools/run.sh': '#!/bin/sh',
      'jobs/ended/home/notes': 'notes',
      'jobs/ended/.gone-repo.0123456789abcdef/old': 'half removed',
      'runner.json': '{}',
      'logs/runner.log': 'a line',
      'programs/1/main.js': 'a program',
      'state.db.9.9.9': 'a copy of the state',
    };
    for (const [path, text] of Object.entries(files)) this.write(path, text);
    chmodSync(this.at('jobs/busy/tools/run.sh'), 0o755);
    symlinkSync('/etc/hostname', this.at('jobs/busy/link'));
    if (repositories) this.#repositories();
  }

  at(path: string): string {
    return join(this.home, path);
  }

  restoredAt(path: string): string {
    return join(this.target, path);
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(this.at(path)), { recursive: true });
    writeFileSync(this.at(path), text);
  }

  #jobs(): void {
    const db = new DatabaseSync(this.at('state.db'));
    const columns = db
      .prepare('SELECT name, type FROM pragma_table_info(\'actors\') WHERE "notnull" = 1')
      .all()
      .map(({ name, type }) => [String(name), type === 'TEXT' ? '' : 0] as const);
    for (const [id, activity] of [
      ['busy', 'parked'],
      ['ended', 'ended'],
    ]) {
      const row = Object.fromEntries([
        ...columns,
        ['id', id],
        ['chart', 'job'],
        ['snapshot', '{}'],
        ['activity', activity],
      ]);
      const names = Object.keys(row);
      db.prepare(
        `INSERT INTO actors (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
      ).run(...(Object.values(row) as (string | number)[]));
    }
    db.close();
  }

  /** A checkout of a mirror in the home, with work that was not committed; and another mirror. */
  #repositories(): void {
    for (const name of ['shop', 'other']) {
      const path = this.at(`mirrors/github/${name}.git`);
      mkdirSync(path, { recursive: true });
      git(path, ['init', '--quiet', '--bare', '--initial-branch=main']);
    }
    const checkout = this.at('jobs/busy/shop');
    git(this.dir, ['clone', '--quiet', this.at('mirrors/github/shop.git'), checkout]);
    writeFileSync(join(checkout, 'file.txt'), 'first');
    git(checkout, ['add', '--all']);
    git(checkout, ['commit', '--quiet', '-m', 'first']);
    git(checkout, ['push', '--quiet', 'origin', 'HEAD:refs/svc/kept/ended/first']);
    writeFileSync(join(checkout, 'file.txt'), 'not committed');
    writeFileSync(join(checkout, '.git', 'index.lock'), '');
  }

  async backUp(work: BackupWork = 'all', file = this.file): Promise<void> {
    const tar = await startBackup({
      settings: { home: this.home, version: RELEASE, paths: { workingDir: this.at('jobs') } },
      work,
      now: BACKED_UP_AT,
      copyState: (copy) => copyClosedState(this.at('state.db'), copy),
    });
    const signal = new AbortController().signal;
    await writeBackupFile(tar, file, { signal, onBytes: () => {} });
  }

  restore({ file = this.file, home = this.target } = {}): Promise<RestoreResult> {
    return restoreHome({
      file,
      home,
      release: RELEASE,
      schema: STORE_VERSION,
      pid: process.pid,
      isAlive: () => false,
      ids: randomIds,
      findProblems(stateDb) {
        const inspection = inspectStore(stateDb);
        return inspection.held ? ['in use'] : inspection.problems;
      },
    });
  }

  restoredText(path: string): string {
    return readFileSync(this.restoredAt(path), 'utf8');
  }

  [Symbol.dispose](): void {
    rmSync(this.dir, { recursive: true, force: true });
  }
}
