import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseCloudStartFlags } from '../../../../cli/input/parseCloudStartFlags.ts';

const test = suite('svc cloud start: its flags');

const NOTHING = {
  host: '127.0.0.1',
  port: 4000,
  database: null,
  isDatabaseArgument: false,
  publicUrl: null,
  nodeUrl: null,
  trustedProxies: null,
  installPostgres: false,
  json: false,
  help: false,
  takeoverMs: null,
  keptJobsDays: null,
  requestLimit: null,
  showsOwnerLink: true,
  logFile: null,
};

const refuse = (...argv: string[]): string => {
  try {
    parseCloudStartFlags(argv, undefined);
  } catch (error) {
    const { code, message } = Object(error);
    assert.is(code, 'bad-argument');
    return String(message);
  }
  throw new Error('it was not refused');
};

test('without flags it listens on loopback, port 4000, with a database that svc starts (CLI-2)', () => {
  assert.equal(parseCloudStartFlags([], undefined), NOTHING);
  assert.equal(parseCloudStartFlags([], '  '), NOTHING);
});

test('a database comes from DATABASE_URL, and --database comes before it', () => {
  const url = 'postgres://db/svc';
  assert.equal(parseCloudStartFlags([], url), { ...NOTHING, database: url });
  const flags = parseCloudStartFlags(['--database', 'postgres://other/svc'], url);
  assert.equal(flags, { ...NOTHING, database: 'postgres://other/svc', isDatabaseArgument: true });
});

test('another address to listen on needs the address that people use', () => {
  assert.match(refuse('--host', '0.0.0.0'), '--public-url');
  const flags = ['--host', '0.0.0.0', '--public-url', 'https://SVC.example.com/'];
  assert.is(parseCloudStartFlags(flags, undefined).publicUrl, 'https://svc.example.com');
});

test('how long ended jobs are listed is a number of days', () => {
  assert.is(parseCloudStartFlags(['--keep-jobs', '30'], undefined).keptJobsDays, 30);
  for (const days of ['0', '3651', '-1', '1.5', 'x'])
    assert.match(refuse('--keep-jobs', days), '--keep-jobs');
});

test('requests of a person are limited to a number a minute', () => {
  assert.is(parseCloudStartFlags(['--request-limit', '6000'], undefined).requestLimit, 6000);
  for (const count of ['59', '1000001', 'many'])
    assert.match(refuse('--request-limit', count), '--request-limit');
});

test('an address with more than a host is refused by its flag', () => {
  for (const url of [
    'svc.example.com',
    'ftp://h',
    'https://h/path',
    'https://h?q',
    'https://u:p@h',
  ])
    assert.match(refuse('--public-url', url), '--public-url');
  assert.match(refuse('--node-url', 'here'), '--node-url');
});

test('a port is a number up to 65535, and an unknown flag is named', () => {
  assert.match(refuse('--port', '65536'), '--port');
  assert.match(refuse('--port', 'any'), '--port');
  assert.match(refuse('--ports', '1'), '--ports');
});

test('proxies are named by addresses and ranges, and a wrong entry is named', () => {
  const flags = parseCloudStartFlags(['--trust-proxy', '127.0.0.1, 10.0.0.0/8'], undefined);
  assert.is(flags.trustedProxies?.has('10.1.2.3'), true);
  for (const entry of ['proxy.example', '10.0.0.0/33', '10.0.0.0/8/8', '10.0.0.0/', ''])
    assert.match(refuse('--trust-proxy', `127.0.0.1,${entry}`), `"${entry}"`);
});

test.run();
