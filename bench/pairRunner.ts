import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomIds } from '../src/base/system/ids/ids.ts';
import type { ControlPlaneUnderTest } from './controlPlaneUnderTest.ts';
import { HttpConnection } from './httpConnection.ts';
import type { TeamOwner } from './teamOwner.ts';

/** A runner as the control plane knows it. */
export interface PairedRunner {
  token: string;
  runnerId: string;
  homeId: string;
}

/** Pairs a runner of the pool with a home that is nowhere yet. */
export async function pairHomeId(
  cloud: Pick<ControlPlaneUnderTest, 'url'>,
  owner: TeamOwner,
  name = 'bench',
): Promise<PairedRunner> {
  const connection = await HttpConnection.open(Number(new URL(cloud.url).port));
  const pairingCode = await connection.ask(owner.request('POST', '/pairing-codes', { pool: true }));
  connection.close();
  const homeId = randomIds.next();
  const reply = await fetch(`${cloud.url}/pair`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ code: JSON.parse(pairingCode).code, name, homeId }),
  });
  const { token, runnerId } = await reply.json();
  return { token, runnerId, homeId };
}

/** Pairs a home with the team, as `svc login --pair` does. */
export async function pairRunner(cloud: ControlPlaneUnderTest, owner: TeamOwner, home: string) {
  const { token, homeId } = await pairHomeId(cloud, owner);
  writeFileSync(join(home, 'home.id'), `${homeId}\n`, { mode: 0o600 });
  const file = join(home, 'config.json');
  const config: object = JSON.parse(readFileSync(file, 'utf8'));
  const cloudSettings = { url: cloud.url, token, accept: 'team' };
  const runner = { maxConcurrentJobs: 64 };
  writeFileSync(file, JSON.stringify({ ...config, cloud: cloudSettings, runner }));
}
