import Type from 'typebox';
import { BackupEnd, BackupHeader } from '../../src/host/backup/backupFormat.ts';
import { RelocationResult } from '../../src/host/backup/relocate.ts';

const read = { header: BackupHeader, end: BackupEnd };

export const BackupWritten = Type.Object({ file: Type.String(), bytes: Type.Integer(), ...read });

/** What `svc restore` prints with --json; with --check only what was read. */
export const BackupRestored = Type.Object({
  ...read,
  home: Type.String(),
  relocated: RelocationResult,
  continued: Type.Boolean(),
});
