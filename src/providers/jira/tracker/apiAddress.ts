import { parseJsonOrNull } from '../../../base/json/parseJsonOrNull.ts';
import type { AccountClient } from '../../../contract/forge/account.ts';
import { SvcError } from '../../../base/errors/errors.ts';
import { readAtPath, readTextAt } from '../../../base/json/untrusted.ts';

/** Atlassian's address for scoped tokens and those of service accounts. */
const GATEWAY = 'https://api.atlassian.com/ex/jira';
const CLOUD_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const isCloudId = (text: string): boolean => CLOUD_ID.test(text);
export const buildGatewayUrl = (cloudId: string): string => `${GATEWAY}/${cloudId.toLowerCase()}`;
/** `api` as in the settings. */
export const isGatewayUrl = (api: string | null): boolean =>
  api === null || api.startsWith(`${GATEWAY}/`);

/**
 * Resolves the API address of the site: looked up once where the site's id is not configured; a
 * failure is looked up again. Needs no token, and sends none. Throws SvcError.
 */
export function createApiResolver(
  { web, api }: { web: string; api: string | null },
  fetch: AccountClient['fetch'],
): () => Promise<string> {
  let pending: Promise<string> | undefined;
  const discover = async (): Promise<string> => {
    const response = await fetch(`${web}/_edge/tenant_info`, {
      headers: { accept: 'application/json', 'user-agent': 'svc' },
    });
    const id = readTextAt(readAtPath(parseJsonOrNull(await response.text()), 'cloudId'));
    if (response.ok && isCloudId(id)) return buildGatewayUrl(id);
    throw new SvcError(
      'config-invalid',
      `${web}/_edge/tenant_info does not name the cloud id of the site: check plugins.installed.jira.config.baseUrl, or set cloudId to the id itself.`,
    );
  };
  return () => {
    if (api !== null) return Promise.resolve(api);
    pending ??= discover();
    pending.catch(() => {
      pending = undefined;
    });
    return pending;
  };
}
