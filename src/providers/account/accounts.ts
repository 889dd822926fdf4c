import { createHash } from 'node:crypto';
import type { OpenAccount } from '../../contract/forge/account.ts';
import { AccountClient, type AccountClientOptions } from './accountClient.ts';

/**
 * The clients of all accounts: callers of the same account share one client, so that its budget is
 * counted once.
 */
export function createAccounts(
  sharedOptions: Pick<AccountClientOptions, 'clock' | 'random' | 'fetch' | 'screen' | 'mayAct'> & {
    /** Called with each secret, since one that was read from a file is in no configuration. */
    onSecret?(secret: string): void;
  },
): OpenAccount {
  const accounts = new Map<string, AccountClient>();
  return ({ host, secret }, options) => {
    sharedOptions.onSecret?.(secret);
    const key = `${host} ${createHash('sha256').update(secret).digest('hex')}`;
    const accountClient =
      accounts.get(key) ?? new AccountClient({ ...sharedOptions, ...options, host });
    accounts.set(key, accountClient);
    return accountClient;
  };
}
