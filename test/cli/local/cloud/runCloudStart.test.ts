import { resolve } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { serveControlPlane } from '../../../../cli/local/cloud/runCloudStart.ts';
import type { StartSignal } from '../../../../cli/local/start/startStreams.ts';
import { createDeferred } from '../../../../src/base/concurrency/createDeferred.ts';
import { SvcError } from '../../../../src/base/errors/errors.ts';
import type { NodeOptions, StartedNode } from '../../../../src/cloud/startNode.ts';

const test = suite('svc cloud start: the command');

const LINK = 'http://localhost:4000/auth/first/secret-link';

/** The command with a node that is not one, and what it printed. */
function stage(
  argv: readonly string[],
  env: Record<string, string> = {},
  start: () => Promise<void> = async () => undefined,
) {
  const started = createDeferred<NodeOptions>();
  const stopping = createDeferred<void>();
  const stopped = createDeferred<void>();
  const said = { out: '', err: '' };
  let signal: (name: StartSignal) => void = () => undefined;
  const node = {
    url: 'http://127.0.0.1:4000',
    publicUrl: 'http://localhost:4000',
    nodeId: 'n1',
    localPostgres: '15.18',
    createOwnerLink: async () => LINK,
    stop() {
      stopping.resolve();
      return stopped.promise;
    },
  } as Pick<StartedNode, 'url' | 'stop'> as StartedNode;
  const ended = serveControlPlane({
    root: resolve(import.meta.dirname, '../../../..'),
    argv,
    env,
    homeDir: '/home/ada',
    streams: {
      out: (text) => {
        said.out += text;
      },
      err: (text) => {
        said.err += text;
      },
      terminal: false,
      onStop(run) {
        signal = run;
        return () => undefined;
      },
    },
    load: async () => ({
      async startNode(options) {
        started.resolve(options);
        await start();
        return node;
      },
    }),
  });
  return { started, stopping, stopped, said, ended, signal: (name: StartSignal) => signal(name) };
}

test('it starts a database in the home, prints the link of the first owner, and stops at a signal (CLD-1, CLI-2)', async () => {
  const { started, stopped, said, ended, signal } = stage([], { SVC_HOME: '/srv/svc' });
  const { database, port, publicUrl } = await started.promise;
  assert.is(port, 4000);
  assert.is(publicUrl, null);
  assert.is(Object(database).home, '/srv/svc');
  signal('SIGTERM');
  stopped.resolve();
  assert.is(await ended, 0);
  assert.match(said.out, LINK);
  assert.match(said.out, 'PostgreSQL 15.18');
  assert.match(said.out, 'svc login --cloud-url http://localhost:4000');
});

test('with --json it prints one line', async () => {
  const { started, stopped, said, ended, signal } = stage(['--json']);
  await started.promise;
  signal('SIGINT');
  stopped.resolve();
  assert.is(await ended, 0);
  const { pid, version, ...line } = JSON.parse(said.out);
  assert.is(pid, process.pid);
  assert.type(version, 'string');
  assert.equal(line, {
    url: 'http://127.0.0.1:4000',
    publicUrl: 'http://localhost:4000',
    node: 'n1',
    database: 'PostgreSQL 15.18',
    ownerLink: LINK,
  });
});

test('a database of your own is used, and its password is screened from the log', async () => {
  const url = 'postgres://svc:pass-word-of-the-database@db.example.com/svc';
  const { started, stopped, said, ended, signal } = stage([], { DATABASE_URL: url });
  const { database, secrets } = await started.promise;
  assert.is(database, url);
  assert.not.match(secrets.screen(`connected to ${url}`), 'pass-word-of-the-database');
  signal('SIGTERM');
  stopped.resolve();
  await ended;
  assert.is(said.err.includes('pass-word'), false);
});

test('a password in an argument is warned of, and not repeated', async () => {
  const { started, stopped, said, ended, signal } = stage([
    '--database',
    'postgres://svc:pass-word@db/svc',
  ]);
  await started.promise;
  signal('SIGTERM');
  stopped.resolve();
  await ended;
  assert.match(said.err, 'DATABASE_URL');
  assert.not.match(said.err, 'pass-word');
});

test('a proxy that is not named is warned of', async () => {
  const warn = async (...more: string[]) => {
    const staged = stage(['--public-url', 'https://svc.example.com', ...more]);
    await staged.started.promise;
    staged.signal('SIGTERM');
    staged.stopped.resolve();
    await staged.ended;
    return staged.said.err.includes('--trust-proxy');
  };
  assert.is(await warn(), true);
  assert.is(await warn('--trust-proxy', '127.0.0.1'), false);
});

test('a second signal ends it at once, with the code of the signal', async () => {
  const { started, stopping, ended, signal } = stage([]);
  await started.promise;
  signal('SIGINT');
  await stopping.promise;
  signal('SIGINT');
  assert.is(await ended, 130);
});

test('a second signal during a start that takes long ends it too', async () => {
  const { started, ended, signal } = stage([], {}, () => new Promise(() => undefined));
  await started.promise;
  signal('SIGTERM');
  signal('SIGTERM');
  assert.is(await ended, 143);
});

test('a start that is refused says why, as text or JSON, with its exit code', async () => {
  const refuse = () =>
    Promise.reject(new SvcError('conflict', 'The port is in use.', { data: { port: 4000 } }));
  const text = stage([], {}, refuse);
  assert.is(await text.ended, 1);
  assert.match(text.said.err, 'The port is in use.');
  const json = stage(['--json'], {}, refuse);
  assert.is(await json.ended, 1);
  assert.is(JSON.parse(json.said.out).error.code, 'conflict');
});

test('a wrong flag ends with the code of a usage error, and --help shows every flag', async () => {
  assert.is(await stage(['--nothing']).ended, 2);
  const help = stage(['--help']);
  assert.is(await help.ended, 0);
  for (const flag of [
    '--port',
    '--host',
    '--database',
    '--public-url',
    '--node-url',
    '--trust-proxy',
    '--json',
  ])
    assert.match(help.said.out, flag);
});

test.run();
