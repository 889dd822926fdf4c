import { DatabaseSync } from '@photostructure/sqlite';
import { toErrorMessage } from '../../../base/errors/errors.ts';
import { toStateReader } from './fileStanding.ts';
import type { LogPosition } from './homeLog.ts';
import { readLogPosition } from './outgoing.ts';

/** Why a copy of a state is damaged, or not what was announced; null = it can be used. Changes nothing. */
export function explainUnusableCopy(
  file: string,
  { n, hash, storeVersion }: LogPosition & { storeVersion: number },
): string | null {
  let db: InstanceType<typeof DatabaseSync> | null = null;
  try {
    db = new DatabaseSync(file, { readOnly: true });
    const reader = toStateReader(db);
    const integrity = String(reader.get('PRAGMA integrity_check(1)')?.integrity_check);
    if (integrity !== 'ok') return integrity;
    const version = Number(reader.get('PRAGMA user_version')?.user_version);
    if (version !== storeVersion)
      return `it has version ${version} of the schema, not ${storeVersion}`;
    const position = readLogPosition(reader);
    if (position?.n === n && position.hash === hash) return null;
    return position === null ? 'it has no log' : `it is a copy at entry ${position.n}`;
  } catch (error) {
    return toErrorMessage(error);
  } finally {
    db?.close();
  }
}
