import { KnownSecrets } from '../../../src/base/secrets/knownSecrets.ts';
import { silentLog } from '../../../src/base/system/log/log.ts';
import { startControlPlane } from '../../../src/cloud/main.ts';

/** A node of the control plane as a process of its own; it sends its address to its parent. */
const { url } = await startControlPlane({
  host: '127.0.0.1',
  port: 0,
  publicUrl: null,
  nodeUrl: null,
  version: '0.0.0-test',
  log: silentLog,
  secrets: new KnownSecrets(),
  database: process.argv[2] ?? '',
  localPostgres: null,
  // A test asks as one person, and as fast as it can.
  requestLimit: 1_000_000,
});
process.send?.(url);
