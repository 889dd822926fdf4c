import { SvcError } from '../../../base/errors/errors.ts';
import { readNumberAt, readTextAt } from '../../../base/json/untrusted.ts';
import type { RestClient, RestQuery } from '../../rest/client.ts';

/**
 * Whether an account is one of the site's own people: on Jira Cloud by its type, which sets
 * customers and apps apart; elsewhere by access to a Jira product, which customers of a service
 * project lack. A hidden account is not a member. Throws SvcError where Jira cannot say now.
 */
export async function isJiraMember(
  client: RestClient,
  version: 2 | 3,
  identities: readonly string[],
): Promise<boolean> {
  const [first, second] = identities;
  if (first === undefined) return false;
  if (version === 3) {
    const user = await findJiraUser(client, { accountId: first });
    return readTextAt(user, 'accountType') === 'atlassian';
  }
  // Webhooks of Data Center name the user name first, then the key of its account.
  const user =
    (await findJiraUser(client, { username: first })) ??
    (second === undefined ? null : await findJiraUser(client, { key: second }));
  return (readNumberAt(user, 'applicationRoles', 'size') ?? 0) > 0;
}

/** null = no such account, or the token may not see it. */
async function findJiraUser(client: RestClient, query: RestQuery): Promise<unknown> {
  try {
    return await client.get('the author of a delivery', '/user', query);
  } catch (error) {
    if (error instanceof SvcError && (error.code === 'not-found' || error.code === 'forbidden'))
      return null;
    throw error;
  }
}
