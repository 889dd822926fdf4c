import { hostname } from 'node:os';
import { randomIds } from '../../src/base/system/ids/ids.ts';
import { makeFolder } from '../../src/base/system/files/makeFolder.ts';
import { reserveHomeId } from '../../src/host/backup/homeRecord.ts';
import type { PairedRunner } from '../../src/contract/schema/cloud/teamRunner.ts';
import type { ConfigSource } from '../remote/selectConfigSource.ts';
import { askCloud, type CloudPlace, createJsonInit } from './cloudRequest.ts';

const PRIVATE_FOLDER = 0o700;

/** Exchanges a pairing code for the token of this home's runner. `name`: `cloud.name`; null = not set. */
export async function redeemPairingCode(
  place: CloudPlace,
  home: string,
  code: string,
  name: string | null,
): Promise<PairedRunner> {
  await makeFolder(home, PRIVATE_FOLDER);
  const body = {
    code,
    name: name ?? (hostname().split('.', 1)[0] || 'runner'),
    homeId: await reserveHomeId(home, randomIds),
    version: place.version,
  };
  return askCloud<PairedRunner>(place, '/pair', createJsonInit('POST', body));
}

/** How often the file may change under our hands. */
const ATTEMPTS = 3;

/**
 * Writes `cloud.url` and `cloud.token`, as `svc config set` does, and labels where the pairing code has some. Gives the
 * keys that need a restart.
 */
export async function writeCloudConfig(
  source: ConfigSource,
  cloud: { url: string; token: string; labels?: string[] } | null,
): Promise<readonly string[]> {
  const patch = cloud === null ? { url: null, token: null } : cloud;
  for (let attempt = 1; ; attempt += 1) {
    const { etag } = await source.config();
    try {
      const { reply } = await source.updateConfig({ cloud: patch }, etag);
      return reply.restart;
    } catch (error) {
      // The runner may count a job in the file at the same time.
      if (Object(error).code !== 'precondition-failed' || attempt === ATTEMPTS) throw error;
    }
  }
}

/** A value of the section `cloud` in the configuration; null = not set. Secrets are hidden in it. */
export async function readCloudConfig(source: ConfigSource): Promise<{
  url: string | null;
  name: string | null;
}> {
  const { reply } = await source.config();
  const cloud: Record<string, unknown> = Object(Reflect.get(Object(reply.config), 'cloud'));
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null);
  return { url: text(cloud.url), name: text(cloud.name) };
}
