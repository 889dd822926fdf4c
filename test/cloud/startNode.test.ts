import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { bindPort } from '../../src/base/system/network/bindPort.ts';
import { silentLog } from '../../src/base/system/log/log.ts';
import { KnownSecrets } from '../../src/base/secrets/knownSecrets.ts';
import { startNode } from '../../src/cloud/startNode.ts';

const test = suite('cloud: start of a node');

test('a port that is taken is refused before PostgreSQL is looked for, installed or started (CLD-5)', async () => {
  const home = join(mkdtempSync(join(tmpdir(), 'svc-start-')), 'home');
  const other = createServer();
  const host = '127.0.0.1';
  const port = await bindPort(other, { host, port: 0 }, (error) => error);
  let installs = 0;
  const started = startNode({
    host,
    port,
    publicUrl: null,
    nodeUrl: null,
    version: '0.0.0',
    log: silentLog,
    secrets: new KnownSecrets(),
    database: {
      home,
      path: '',
      isRoot: false,
      install: async () => {
        installs += 1;
        return null;
      },
    },
  });
  assert.is(await started.then(() => null).catch((error) => error.code), 'conflict');
  assert.is(installs, 0);
  assert.is(existsSync(home), false);
  other.close();
  rmSync(join(home, '..'), { recursive: true });
});

test.run();
