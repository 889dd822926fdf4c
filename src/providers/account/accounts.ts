import { createHash } from 'node:crypto';
import type { OpenAccount } from '../../contract/account.ts';
import { AccountClient, type AccountClientOptions } from './accountClient.ts';

/**
 * The doors of all accounts: who asks for the same account gets the same one, so that its budget is
 * counted once.
 */
export function createAccounts(
  given: Pick<AccountClientOptions, 'clock' | 'random' | 'fetch' | 'screen'>,
): OpenAccount {
  const doors = new Map<string, AccountClient>();
  return ({ host, secret }, options) => {
    const key = `${host} ${createHash('sha256').update(secret).digest('hex')}`;
    const door = doors.get(key) ?? new AccountClient({ ...given, ...options, host });
    doors.set(key, door);
    return door;
  };
}
