import { SvcError } from '../base/errors/errors.ts';
import type { Ids } from '../base/system/ids/ids.ts';
import type { Database } from './database/database.ts';
import { addLocalKey, dropOtherLocalKey, readLocalKeys } from './database/local/localKeys.ts';
import { SEALED_SIGN_ON } from './people/signOn/sealedSignOn.ts';
import { type ResealCounts, resealColumn } from './server/resealColumn.ts';
import { openSealer, type Sealer } from './server/sealer.ts';
import { SEALED_WEBHOOKS } from './webhooks/sealedWebhooks.ts';

export interface RotatedKey {
  /** prepared: the home has a new key, and its node has to be started again. done: everything is sealed with it. */
  state: 'prepared' | 'done';
  columns: (ResealCounts & { column: string })[];
}

interface RotateParts {
  database: Database;
  ids: Ids;
  /** File with the keys of a home; null = the database is one of your own. */
  keyFile: string | null;
}

/** The keys of the variables SVC_CLOUD_KEY and SVC_CLOUD_OTHER_KEY; null = not set. */
export interface GivenKeys {
  key: string | null;
  otherKey: string | null;
}

/** Throws SvcError `not-possible-now` with the nodes that do not open both keys: they would lose what is sealed next. */
async function requireKeysOfNodes({ sql }: Database, { keyNames }: Sealer): Promise<void> {
  const rows = await sql`
    select address, keys from nodes where lease_end > clock_timestamp() order by address`;
  const others = rows.filter(
    ({ keys }) => !keyNames.every((name) => Array.isArray(keys) && keys.includes(name)),
  );
  if (others.length === 0) return;
  throw new SvcError(
    'not-possible-now',
    `Nodes of the control plane do not have both keys yet: ${others.map(({ address }) => address).join(', ')}. Start each of them with both, then run this again.`,
    { data: { nodes: others.map(({ address }) => address) } },
  );
}

const createKeysError = (): SvcError =>
  new SvcError(
    'bad-argument',
    'Name both keys: the new one in SVC_CLOUD_KEY, and the one that it replaces in SVC_CLOUD_OTHER_KEY. Make one with: openssl rand -base64 32',
  );

async function resealAll(database: Database, sealer: Sealer): Promise<RotatedKey> {
  await requireKeysOfNodes(database, sealer);
  const columns: RotatedKey['columns'] = [];
  for (const sealedColumn of [...SEALED_WEBHOOKS, ...SEALED_SIGN_ON])
    columns.push({
      column: `${sealedColumn.table}.${sealedColumn.column}`,
      ...(await resealColumn(database, sealer, sealedColumn)),
    });
  return { state: 'done', columns };
}

/**
 * Replaces the key that secrets are sealed with, while nodes run and open both. Each step may be repeated after a kill.
 * Throws SvcError `bad-argument` without both keys, and `not-possible-now` while a node lacks one.
 */
export async function rotateKey(
  { database, ids, keyFile }: RotateParts,
  givenKeys: GivenKeys,
): Promise<RotatedKey> {
  if (givenKeys.key === null && keyFile !== null) {
    const keys = await readLocalKeys(keyFile, ids);
    if (keys.otherKey === null) {
      await addLocalKey(keyFile, keys, ids);
      return { state: 'prepared', columns: [] };
    }
    const sealer = openSealer(keys.key, keys.otherKey);
    if (sealer === null) throw createKeysError();
    const rotatedKey = await resealAll(database, sealer);
    await dropOtherLocalKey(keyFile, keys, ids);
    return rotatedKey;
  }
  const sealer = openSealer(givenKeys.key, givenKeys.otherKey);
  if (sealer === null || sealer.keyNames.length < 2 || givenKeys.key === givenKeys.otherKey)
    throw createKeysError();
  return resealAll(database, sealer);
}
