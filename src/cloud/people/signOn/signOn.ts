import type { Log } from '../../../base/system/log/log.ts';
import type { KnownSecrets } from '../../../base/secrets/knownSecrets.ts';
import type { CloudContext } from '../../server/cloudContext.ts';
import type { Sealer } from '../../server/sealer.ts';
import { type CompanyIssuer, readCompanyIssuer } from './companyIssuer.ts';
import { IssuerClient } from './issuerClient.ts';
import { LoginConfirmation } from './loginConfirmation.ts';

/** Logins at a company's issuer, of a node. */
export interface SignOn {
  client: IssuerClient;
  confirmation: LoginConfirmation;
  /** null = the node has no key. */
  sealer: Sealer | null;
  /** null = people log in here, with passwords. */
  readIssuer(): Promise<CompanyIssuer | null>;
}

/** `secrets`: the secret of the issuer's client is added to them when it is read. */
export function openSignOn(
  cloud: Pick<CloudContext, 'database' | 'clock' | 'log'>,
  sealer: Sealer | null,
  secrets: Pick<KnownSecrets, 'add'>,
): SignOn {
  const client = new IssuerClient(cloud.clock);
  const readIssuer = async (): Promise<CompanyIssuer | null> => {
    const issuer = await readCompanyIssuer(cloud.database.sql, sealer);
    if (issuer?.clientSecret) secrets.add([issuer.clientSecret]);
    return issuer;
  };
  const confirmation = new LoginConfirmation({ cloud, sealer, client, readIssuer });
  return { client, confirmation, sealer, readIssuer };
}

/** Says in the log that no one can log in: the secret of the issuer's client was sealed with a key that this node lacks. */
export async function reportLostSecret(
  { readIssuer }: Pick<SignOn, 'readIssuer'>,
  log: Pick<Log, 'error'>,
): Promise<void> {
  const issuer = await readIssuer();
  if (issuer === null || issuer.clientSecret !== null) return;
  log.error(
    { issuer: issuer.issuer },
    "the secret of the company's issuer was sealed with another SVC_CLOUD_KEY: no one can log in there. Start the node with that key, or enter the secret again: svc cloud issuer set",
  );
}
