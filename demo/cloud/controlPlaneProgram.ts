import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { toFailure } from '../../cli/failure.ts';
import { loadControlPlane } from '../../cli/local/cloud/loadControlPlane.ts';
import { KnownSecrets } from '../../src/base/secrets/knownSecrets.ts';
import { createLog } from '../../src/base/system/log/log.ts';
import { DEMO_TAKEOVER } from './demoTakeover.ts';

/**
 * The control plane of the demo of a lost runner: that of `svc cloud start --port 0 --json`, with the takeover times of
 * the demo, which `svc cloud start` refuses. Arguments: svc's folder, and the home.
 */
async function serve(root: string, home: string): Promise<void> {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const secrets = new KnownSecrets();
  const stopAsked = new Promise<void>((resolve) => process.once('SIGTERM', () => resolve()));
  const { startNode } = await loadControlPlane(root);
  const node = await startNode({
    host: '127.0.0.1',
    port: 0,
    publicUrl: null,
    nodeUrl: null,
    takeover: DEMO_TAKEOVER,
    version,
    log: createLog(2, 'warn', secrets.screen),
    secrets,
    database: {
      home,
      path: process.env.PATH ?? '',
      isRoot: process.getuid?.() === 0,
      install: () => Promise.resolve(null),
    },
  });
  try {
    const { publicUrl, localPostgres } = node;
    const ownerLink = await node.createOwnerLink();
    const database = `PostgreSQL ${localPostgres}`;
    process.stdout.write(`${JSON.stringify({ publicUrl, database, ownerLink })}\n`);
    await stopAsked;
  } finally {
    await node.stop();
  }
}

const [root = '', home = ''] = process.argv.slice(2);
serve(root, home).catch((error: unknown) => {
  const { problem, exitCode } = toFailure(error);
  process.stdout.write(`${JSON.stringify({ error: problem })}\n`);
  process.exitCode = exitCode;
});
