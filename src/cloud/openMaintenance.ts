import { readFile, realpath } from 'node:fs/promises';
import { SvcError } from '../base/errors/errors.ts';
import { type Ids, randomIds } from '../base/system/ids/ids.ts';
import { silentLog } from '../base/system/log/log.ts';
import { findLocalPlaces, type LocalPlaces } from '../base/system/postgres/localPlaces.ts';
import { readPostmasterFile } from '../base/system/postgres/postmasterFile.ts';
import { isProcessAlive } from '../base/system/process/isProcessAlive.ts';
import { type Clock, systemClock } from '../base/time/clock.ts';
import { formatLocalUrl } from './database/local/formatLocalUrl.ts';
import { readKnownLocalKeys } from './database/local/localKeys.ts';
import { connectDatabase } from './database/openDatabase.ts';
import { type BreakGlassLink, createBreakGlassLink } from './people/accounts/breakGlassLinks.ts';
import { createOwnerLink } from './people/accounts/ownerLinks.ts';
import { createPasswordLink, type PasswordLink } from './people/accounts/passwordLinks.ts';
import {
  type NewCompanyIssuer,
  removeCompanyIssuer,
  setCompanyIssuer,
  unlinkAccount,
} from './people/signOn/changeCompanyIssuer.ts';
import { describeSignOn, type ShownSignOn } from './people/signOn/describeSignOn.ts';
import { IssuerClient } from './people/signOn/issuerClient.ts';
import { type DeletedPerson, deletePerson } from './retention/deletePerson.ts';
import { type ExportedData, exportData, type ExportSubject } from './retention/exportData.ts';
import { rotateKey, type RotatedKey } from './rotateKey.ts';
import { openSealer } from './server/sealer.ts';

export type {
  BreakGlassLink,
  DeletedPerson,
  ExportedData,
  ExportSubject,
  NewCompanyIssuer,
  PasswordLink,
  RotatedKey,
  ShownSignOn,
};

export interface MaintenanceOptions {
  /** URL of one of your own; null = the one that svc cloud start has made for this home. */
  database: string | null;
  home: string;
  isRoot: boolean;
  /** What secrets are sealed with, as SVC_CLOUD_KEY; null = the file that svc has made beside a database of its own. */
  cloudKey: string | null;
  /** A further key that opens, while one replaces the other; default: none. */
  otherCloudKey?: string | null;
  clock?: Clock;
  ids?: Ids;
}

/** What only who has the database of a control plane may do. */
export interface Maintenance {
  /** For the first owner; null once someone has an account. */
  createOwnerLink(): Promise<string | null>;
  /** For an owner who cannot log in at the company's issuer. `email`: null = the only owner. */
  createBreakGlassLink(email: string | null): Promise<BreakGlassLink>;
  showSignOn(): Promise<ShownSignOn>;
  setIssuer(issuer: NewCompanyIssuer): Promise<ShownSignOn>;
  removeIssuer(): Promise<void>;
  unlinkAccount(email: string): Promise<void>;
  createPasswordLink(email: string): Promise<PasswordLink>;
  /** Seals secrets with another key. Throws SvcError `bad-argument`, `not-possible-now`. */
  rotateKey(): Promise<RotatedKey>;
  /** Gives what it has of a team or a person to `write`, piece by piece. Throws SvcError `not-found`. */
  exportData(subject: ExportSubject, write: (text: string) => Promise<void>): Promise<ExportedData>;
  /** `typedName`: the name of the account; null = none. Throws SvcError `bad-argument`, `not-found`, `not-possible-now`. */
  deletePerson(email: string, typedName: string | null): Promise<DeletedPerson>;
  close(): Promise<void>;
}

/**
 * Connects to the database of a control plane. Its nodes may run meanwhile; nothing is migrated.
 * @throws SvcError `not-possible-now` where no control plane has used it, or the one of this home does not run
 */
export async function openMaintenance(options: MaintenanceOptions): Promise<Maintenance> {
  const { clock = systemClock, ids = randomIds } = options;
  const places = findLocalPlaces(
    await realpath(options.home).catch(() => options.home),
    options.isRoot,
  );
  const url = options.database ?? (await findLocalUrl(options, places));
  const keyFile = options.database === null ? places.keyFile : null;
  const givenKeys = { key: options.cloudKey, otherKey: options.otherCloudKey ?? null };
  const database = await connectDatabase(url, { log: silentLog, max: 2 });
  try {
    const [row] = await database.sql`select public_url from cluster`;
    const publicUrl: unknown = row?.public_url;
    if (typeof publicUrl !== 'string') throw createUnusedError();
    const ctx = { database, clock, ids, publicUrl };
    const knownKeys = keyFile === null ? null : await readKnownLocalKeys(keyFile);
    const keys = givenKeys.key === null && knownKeys !== null ? knownKeys : givenKeys;
    const sealer = openSealer(keys.key, keys.otherKey);
    const showSignOn = () => describeSignOn(database.sql, sealer, publicUrl);
    return {
      createOwnerLink: () => createOwnerLink(ctx),
      createBreakGlassLink: (email) => createBreakGlassLink(ctx, email),
      createPasswordLink: (email) => createPasswordLink(ctx, email),
      showSignOn,
      async setIssuer(issuer) {
        if (sealer === null) throw createNoKeyError();
        await setCompanyIssuer(ctx, sealer, new IssuerClient(clock), issuer);
        return showSignOn();
      },
      removeIssuer: () => removeCompanyIssuer(ctx),
      unlinkAccount: (email) => unlinkAccount(ctx, email),
      rotateKey: () => rotateKey({ database, ids, keyFile }, givenKeys),
      exportData: (subject, write) => exportData(ctx, subject, write),
      deletePerson: (email, typedName) => deletePerson(ctx, email, typedName),
      close: () => database.close(),
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

const createUnusedError = (): SvcError =>
  new SvcError(
    'not-possible-now',
    'No control plane has used this database yet, so it has no address. Start one on it: svc cloud start.',
  );

const createNoKeyError = (): SvcError =>
  new SvcError(
    'not-possible-now',
    'Without SVC_CLOUD_KEY the secret of the issuer cannot be sealed. Set it to the key of the nodes; a new one: openssl rand -base64 32',
  );

/** That of the running server: the control plane of this home has started it. */
async function findLocalUrl(
  { home }: Pick<MaintenanceOptions, 'home'>,
  { data, passwordFile }: LocalPlaces,
): Promise<string> {
  const server = await readPostmasterFile(data).catch(() => null);
  const password = await readFile(passwordFile, 'utf8').catch(() => null);
  if (server === null || !server.isReady || !isProcessAlive(server.pid) || password === null)
    throw new SvcError(
      'not-possible-now',
      `No control plane with a database of its own is running for the home ${home}. Start it with svc cloud start. If it has a database of yours, put its URL into DATABASE_URL; if it has another home, name that with SVC_HOME.`,
    );
  return formatLocalUrl(password.trim(), server.socketFolder);
}
