import { createHash } from 'node:crypto';
import { Door, type DoorOptions } from './door.ts';

/** An account at a server: its name for messages, and the secret that opens it. */
export interface Account {
  host: string;
  secret: string;
}

export type OpenDoor = (account: Account, options: Pick<DoorOptions, 'perJob' | 'writeGapMs'>) => Door;

/** The doors of all accounts: who asks for the same account gets the same one, so that its budget is counted once. */
export function createDoors(given: Pick<DoorOptions, 'clock' | 'random' | 'fetch' | 'screen'>): OpenDoor {
  const doors = new Map<string, Door>();
  return ({ host, secret }, options) => {
    const key = `${host} ${createHash('sha256').update(secret).digest('hex')}`;
    const door = doors.get(key) ?? new Door({ ...given, ...options, host });
    doors.set(key, door);
    return door;
  };
}
