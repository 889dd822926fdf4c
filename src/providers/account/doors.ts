import { createHash } from 'node:crypto';
import type { OpenDoor } from '../../contract/door.ts';
import { Door, type DoorOptions } from './door.ts';

/**
 * The doors of all accounts: who asks for the same account gets the same one, so that its budget is
 * counted once.
 */
export function createDoors(
  given: Pick<DoorOptions, 'clock' | 'random' | 'fetch' | 'screen'>,
): OpenDoor {
  const doors = new Map<string, Door>();
  return ({ host, secret }, options) => {
    const key = `${host} ${createHash('sha256').update(secret).digest('hex')}`;
    const door = doors.get(key) ?? new Door({ ...given, ...options, host });
    doors.set(key, door);
    return door;
  };
}
