import type { KnownSecrets } from '../../base/secrets/knownSecrets.ts';
import type { Mount } from '../server/createCloudApp.ts';
import type { CloudContext } from '../server/cloudContext.ts';
import type { CloudHandlers, Credentials } from '../server/cloudCall.ts';
import type { teamRoutes } from '../routes/teamRoutes.ts';
import { createOwnerLink } from './accounts/ownerLinks.ts';
import { findUser } from './accounts/users.ts';
import { createCredentials } from './credentials.ts';
import { createPeopleHandlers } from './createPeopleHandlers.ts';
import { Issuer } from './issuer/issuer.ts';
import { AUTH_PREFIX } from './issuer/issuerPaths.ts';
import { removeExpiredRecords } from './issuer/removeExpiredRecords.ts';
import { answerAuth } from './pages/answerAuth.ts';
import type { Sealer } from '../server/sealer.ts';
import { BrowserSessions } from './sessions/browserSessions.ts';
import { openSignOn, reportLostSecret } from './signOn/signOn.ts';

/** How often what has expired is removed, ms. */
const CLEANUP_MS = 10 * 60_000;

export interface People {
  credentials: Credentials;
  mount: Mount;
  sessions: BrowserSessions;
  handlers: CloudHandlers<typeof teamRoutes>;
  /** For the first owner; null once someone has an account. */
  createOwnerLink(): Promise<string | null>;
  close(): void;
}

/**
 * Everything about people: logins, the authorization server, teams. Makes the signing keys where none exist. `sealer`:
 * null = the node has no key, and cannot log people in at a company's issuer.
 */
export async function openPeople(
  cloud: CloudContext,
  { sealer, secrets }: { sealer: Sealer | null; secrets: KnownSecrets },
): Promise<People> {
  const { database, clock, log, publicUrl } = cloud;
  const signOn = openSignOn(cloud, sealer, secrets);
  await reportLostSecret(signOn, log);
  const { confirmation } = signOn;
  const sessions = new BrowserSessions({ ...cloud, confirmation });
  const issuer = await Issuer.open({
    ...cloud,
    findUser: (id) => findUser(database, id),
    confirmRefresh: (userId, loggedInAt) => confirmation.confirmRefresh(userId, loggedInAt),
  });
  await issuer.keys.list();
  await database.sql`
    update cluster set public_url = ${publicUrl} where public_url is distinct from ${publicUrl}`;
  let cancel = () => {};
  const cleanUp = () => {
    Promise.all([removeExpiredRecords(database, clock), sessions.removeExpired()]).catch(
      (error: unknown) => log.warn({ err: error }, 'expired logins could not be removed'),
    );
    cancel = clock.at(clock.now() + CLEANUP_MS, cleanUp);
  };
  cleanUp();
  return {
    credentials: createCredentials({ database, clock, publicUrl, issuer, sessions }),
    mount: { prefix: AUTH_PREFIX, handle: answerAuth({ cloud, issuer, sessions, signOn }) },
    sessions,
    handlers: createPeopleHandlers(cloud, sessions),
    createOwnerLink: () => createOwnerLink(cloud),
    close: () => cancel(),
  };
}
