import { join } from 'node:path';
import { sha256 } from '../ids/ids.ts';

/** User that PostgreSQL runs as where svc is root, which PostgreSQL refuses; no user is made for it. */
export const UNPRIVILEGED_UID = 65_534;
/** Folder of the data of all homes whose svc is root: a home of root lies where no other user may go. */
const ROOT_DATA = '/var/lib/svc-cloud';
/** Characters of a home's name below it. */
const HOME_NAME_CHARS = 16;

/** Where a database that svc starts has its files. */
export interface LocalPlaces {
  /** Mode 0700, of the user that PostgreSQL runs as. */
  base: string;
  /** The data, below `base`. */
  data: string;
  /** Password of the database; readable for svc's user alone. */
  passwordFile: string;
  /** What secrets in the database are sealed with, unless SVC_CLOUD_KEY is set; readable for svc's user alone. */
  keyFile: string;
  /** What PostgreSQL writes of itself. */
  logFile: string;
  /** User and group that PostgreSQL runs as; null = those of svc. */
  runAs: number | null;
}

/** `home`: svc's home, as a real path. `isRoot`: whether svc runs as root. */
export function findLocalPlaces(home: string, isRoot: boolean): LocalPlaces {
  const own = join(home, 'cloud');
  const base = isRoot ? join(ROOT_DATA, sha256(home).slice(0, HOME_NAME_CHARS)) : own;
  return {
    base,
    data: join(base, 'postgres'),
    passwordFile: join(own, 'postgres.password'),
    keyFile: join(own, 'secrets.key'),
    logFile: join(own, 'postgres.log'),
    runAs: isRoot ? UNPRIVILEGED_UID : null,
  };
}
