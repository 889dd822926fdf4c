import type { Client } from '../../src/api/client/client.ts';
import { SvcError } from '../../src/base/errors/errors.ts';
import type { TrustView } from '../../src/contract/schema/workflow/trust.ts';

/** What is known of one repository. Throws SvcError `not-found`. */
export async function findRepositoryTrust(client: Client, repo: string): Promise<TrustView> {
  const repositoryTrust = (await client.trust()).find((one) => one.repo === repo);
  if (!repositoryTrust)
    throw new SvcError(
      'not-found',
      `No repository ${repo} is configured; svc trust list shows all.`,
    );
  return repositoryTrust;
}
