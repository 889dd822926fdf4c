import Type from 'typebox';
import { BackupWork } from '../../contract/schema/runner/backup.ts';

/**
 * A backup is a tar (gzipped where its name ends in `.gz`): first {@link HEADER}, then the state and
 * the files of the home below {@link HOME_FOLDER}, last {@link END}, without which it is refused.
 */
export const FORMAT = 1;
export const HEADER = 'svc-backup.json';
export const END = 'svc-backup-end.json';
export const HOME_FOLDER = 'home/';
export const STATE = 'state.db';
/** Where the folders of jobs are in a backup, wherever they were in the home. */
export const WORK = 'work';
/** Most bytes of the two files that describe a backup. */
export const MAX_DESCRIPTION_BYTES = 65_536;
/** Most files that could not be read that a backup names; the others are only counted. */
export const MAX_UNREAD_NAMES = 20;

export const BackupHeader = Type.Object({
  format: Type.Literal(FORMAT),
  release: Type.String(),
  schema: Type.Integer(),
  /** Absolute path of the home that it was made of. */
  home: Type.String(),
  /** The id in its `home.json`; left out where it had none. */
  homeId: Type.Optional(Type.String()),
  /** Absolute path of its folder of jobs. */
  workingDir: Type.String(),
  /** ISO 8601: the state is that of this moment or a little later. */
  createdAt: Type.String(),
  work: BackupWork,
  jobs: Type.Integer(),
  active: Type.Integer(),
});
export type BackupHeader = Type.Static<typeof BackupHeader>;

export const BackupEnd = Type.Object({
  /** Files, folders and links below {@link HOME_FOLDER}. */
  entries: Type.Integer(),
  bytes: Type.Integer(),
  sha256: Type.String(),
  unread: Type.Integer(),
  /** The first of them, absolute paths: at most {@link MAX_UNREAD_NAMES}. */
  unreadNames: Type.Array(Type.String()),
});
export type BackupEnd = Type.Static<typeof BackupEnd>;
