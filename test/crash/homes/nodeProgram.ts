import { silentLog } from '../../../src/base/system/log/log.ts';
import { KnownSecrets } from '../../../src/base/secrets/knownSecrets.ts';
import { startControlPlane } from '../../../src/cloud/main.ts';
import { testCredentials } from '../../support/cloud/testTeam.ts';

/** A node with short takeovers; it prints its address when it serves. */
const [database = '', port = '0', windowMs = '2000'] = process.argv.slice(2);
const { url } = await startControlPlane({
  host: '127.0.0.1',
  port: Number(port),
  publicUrl: null,
  nodeUrl: null,
  version: '0.0.0-test',
  log: silentLog,
  secrets: new KnownSecrets(),
  credentials: testCredentials,
  database,
  localPostgres: null,
  // A test asks as one person, and as fast as it can.
  requestLimit: 1_000_000,
  takeover: { windowMs: Number(windowMs), quietMs: 500 },
});
process.stdout.write(`${url}\n`);
