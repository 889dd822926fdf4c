import { silentLog } from '../../../src/base/system/log/log.ts';
import { KnownSecrets } from '../../../src/base/secrets/knownSecrets.ts';
import { startControlPlane } from '../../../src/cloud/main.ts';
import { TEST_CLOUD_KEY } from './startTestControlPlane.ts';
import { testCredentials } from './testTeam.ts';

/** A node in a process of its own, which a test kills. Its address is its only line. */
const { url } = await startControlPlane({
  host: '127.0.0.1',
  port: 0,
  publicUrl: null,
  nodeUrl: null,
  version: '0.0.0-test',
  log: silentLog,
  secrets: new KnownSecrets(),
  credentials: testCredentials,
  database: process.argv[2] ?? '',
  localPostgres: null,
  // A test asks as one person, and as fast as it can.
  requestLimit: 1_000_000,
  cloudKey: TEST_CLOUD_KEY,
});
console.log(url);
