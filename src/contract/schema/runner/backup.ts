import Type from 'typebox';
import { closed } from '../kit/schemaKit.ts';

/** Which folders of jobs go into a backup: all, those of jobs that have not ended, or none. */
export const BackupWork = Type.Enum(['all', 'active', 'none']);
export type BackupWork = Type.Static<typeof BackupWork>;

/** Body of POST /backup. */
export const BackupBody = Type.Object(
  {
    /** Default `all`. */
    work: Type.Optional(BackupWork),
  },
  closed,
);
export type BackupBody = Type.Static<typeof BackupBody>;
