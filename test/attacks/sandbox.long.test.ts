import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { SandboxProfile } from '../../src/base/agents/sandboxProfiles.ts';
import { canNamespaces, confinedHome, findMissingParts } from '../support/agents/confined.ts';

const test = suite('attacks: out of the sandbox');

/** Sessions after which nothing may be left. */
const SESSIONS = 5;

/** Tries every escape; says of each whether it was refused. */
const ATTACKER = (home: string, port: number, runner: number, socket: string) => `
const { readFileSync, writeFileSync, readdirSync } = await import('node:fs');
const net = await import('node:net');
const said = (name, refused) => console.log(name + ': ' + (refused ? 'refused' : 'DONE'));
const tried = (name, act) => { try { said(name, act() === false); } catch { said(name, true); } };
const reached = (options) => new Promise((resolve) => {
  const it = net.connect(options, () => { it.destroy(); resolve(true); });
  it.setTimeout(1000, () => { it.destroy(); resolve(false); });
  it.on('error', () => resolve(false));
});
tried('configuration', () => readFileSync('${home}/config.json'));
tried('environment of the runner', () => /SVC_TEST_RUNNER=1/.test(readFileSync('/proc/${runner}/environ', 'latin1')));
tried('folder of another job', () => readFileSync('${home}/work/theirs/secret'));
tried('list of jobs', () => readdirSync('${home}/work').length > 1);
tried('mirror', () => writeFileSync('${home}/mirrors/shop.git/hooks/post-update', 'x'));
tried('place outside', () => writeFileSync('/etc/svc-attacked', 'x'));
tried('kill of the runner', () => process.kill(${runner}, 0));
said('socket of a daemon', !(await reached('${socket}')));
said('direct network', !(await reached({ host: '127.0.0.1', port: ${port} })));
said('metadata address', !(await reached({ host: '169.254.169.254', port: 80 })));
const proxied = (target) => new Promise((resolve) => {
  if (!process.env.HTTP_PROXY) return resolve(null);
  const { port, hostname, username, password } = new URL(process.env.HTTP_PROXY);
  import('node:http').then(({ request }) => request({ hostname, port, path: target, headers: { 'proxy-authorization': 'Basic ' + Buffer.from(decodeURIComponent(username) + ':' + password).toString('base64') } }, (answer) => { answer.resume(); resolve(answer.statusCode); }).on('error', () => resolve(0)).end());
});
said('metadata address by the proxy', [403, null].includes(await proxied('http://169.254.169.254/latest')));
said('the runner by the proxy', [403, null].includes(await proxied('http://127.0.0.1:${port}/jobs')));
`;

/** A socket of a daemon in a place that every machine hides from agents. */
const daemon = async (path: string) => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(path, resolve));
  return { [Symbol.dispose]: () => void server.close() };
};

const attack = async (profile: SandboxProfile): Promise<{ out: string; refused: string[] }> => {
  process.env.SVC_TEST_RUNNER = '1';
  await using it = await confinedHome(profile);
  const socket = `${tmpdir()}/svc-daemon-${process.pid}.sock`;
  using _ = await daemon(socket);
  const program = ATTACKER(it.home, it.port, process.pid, socket);
  const { out, err, refused } = await it.run([
    process.execPath,
    '--input-type=module',
    '-e',
    program,
  ]);
  assert.is(err, '');
  assert.is(existsSync('/etc/svc-attacked'), false);
  assert.is(readFileSync(it.at('work/theirs/secret'), 'utf8'), 'planted-in-theirs');
  return { out, refused };
};

const EVERYWHERE = [
  'configuration',
  'environment of the runner',
  'folder of another job',
  'list of jobs',
  'mirror',
  'place outside',
  'kill of the runner',
  'socket of a daemon',
];
const OF_THE_NETWORK = [
  'direct network',
  'metadata address',
  'metadata address by the proxy',
  'the runner by the proxy',
];

const leavings = (): string[] =>
  readdirSync(tmpdir()).filter((name) => /^(?:svc-sandbox|srt-|claude-http)/.test(name));

/** Processes of sandboxes of this test that still run. */
const listLeftFiles = (home: string): string[] =>
  readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return false;
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(home);
    } catch {
      return false;
    }
  });

if (!canNamespaces())
  test('the kernel gives no user namespaces (unshare -U true fails): no sandbox can be tried', () => {
    console.log('sandbox: left out, because unshare -U true fails here');
  });
else {
  for (const profile of ['runtime', 'bubblewrap'] as const)
    test(`nothing lacks for ${profile} where namespaces work`, async () => {
      assert.equal(await findMissingParts(profile), []);
    });

  test('the sandbox runtime refuses every escape, and reports those it sees', async () => {
    const { out, refused } = await attack('runtime');
    assert.equal(
      out.split('\n'),
      [...EVERYWHERE, ...OF_THE_NETWORK].map((name) => `${name}: refused`),
    );
    assert.match(refused.join('\n'), '/etc/svc-attacked');
    assert.match(refused.join('\n'), '169.254.169.254');
    assert.match(refused.join('\n'), '/mirrors/shop.git/hooks');
  });

  test('bubblewrap refuses every escape but the network', async () => {
    const { out } = await attack('bubblewrap');
    for (const name of EVERYWHERE) assert.match(out, `${name}: refused`);
    assert.match(out, 'direct network: DONE');
  });

  for (const profile of ['runtime', 'bubblewrap', 'command'] as const)
    test(`a program calls tools of its phase in the profile ${profile}`, async () => {
      await using it = await confinedHome(profile, ['env', 'CONFINED={job}']);
      const { out, err } = await it.run(['svc', 'tool', 'add_insight', '{}']);
      assert.is(out, '{"said":"tools/call"}', err);
      assert.equal(it.asked, [{ url: '/mcp/session-1', token: 'Bearer tool-token' }]);
    });

  test('an agent that takes servers as programs reaches its tools by svc mcp-bridge', async () => {
    await using it = await confinedHome('runtime');
    const hello = '{"jsonrpc":"2.0","id":"a","method":"tools/list"}';
    const { out } = await it.run(['sh', '-c', `echo '${hello}' | svc mcp-bridge`]);
    const result = { structuredContent: { said: 'tools/list' }, content: [] };
    assert.equal(JSON.parse(out), { jsonrpc: '2.0', id: 'a', result });
  });

  test('a shared folder is shared, a link that an agent has put in its place is not', async () => {
    await using it = await confinedHome('bubblewrap');
    mkdirSync(it.at('work/campaign/contracts'), { recursive: true });
    symlinkSync(it.at('work/theirs'), it.at('work/campaign/linked'));
    const createTouchCommand = (path: string) => ['sh', '-c', `touch ${path}/x && echo wrote`];
    const shared = [it.at('work/campaign/contracts'), it.at('work/campaign/linked')];
    assert.is((await it.run(createTouchCommand(shared[0] ?? ''), shared)).out, 'wrote');
    assert.is((await it.run(createTouchCommand(it.at('work/theirs')), shared)).out, '');
    assert.is(existsSync(it.at('work/theirs/x')), false);
  });

  test('the token is in no argument and no variable', async () => {
    await using it = await confinedHome('runtime');
    const { out } = await it.run([
      'sh',
      '-c',
      'env; cat /proc/*/cmdline /proc/*/environ 2>/dev/null | tr "\\0" "\\n"',
    ]);
    assert.not.match(out, 'tool-token');
  });

  test(`after ${SESSIONS} sessions nothing is left: no process, no socket, no file`, async () => {
    await using it = await confinedHome('runtime');
    const before = leavings();
    for (let n = 0; n < SESSIONS; n += 1) {
      const { result } = await it.run(['sh', '-c', 'setsid sleep 1000 & exit 0']);
      assert.is(result.stopReason, 'end_turn');
    }
    assert.equal(leavings(), before);
    assert.equal(listLeftFiles(it.home), []);
  });
}

test.run();
