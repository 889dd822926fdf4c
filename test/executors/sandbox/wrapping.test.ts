import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { decodeSandboxExit } from '../../../src/executors/process/wrapSessionStart.ts';
import { wrapInBubblewrap } from '../../../src/executors/sandbox/wrapInBubblewrap.ts';
import { pickInnermostProcesses } from '../../../src/executors/sandbox/host/findSandboxedProcesses.ts';
import { buildInsideCommand } from '../../../src/executors/sandbox/host/buildInsideCommand.ts';
import { MAX_REFUSALS, Refusals } from '../../../src/executors/sandbox/host/refusals.ts';
import { prefixProgram } from '../../../src/executors/sandbox/prefixProgram.ts';
import { explainHiddenJobFolder } from '../../../src/executors/sandbox/sessionSandboxes.ts';

const test = suite('sandbox: how a program is wrapped');

const START = { program: 'agent', args: ['--fast', 'a b'] };

test('bubblewrap hides folders and files that exist, then shows and binds', () => {
  const reach = { write: ['/svc/job'], hide: ['/svc', '/key', '/gone'], show: ['/svc/layer'] };
  const kinds: Record<string, 'folder' | 'file'> = { '/svc': 'folder', '/key': 'file' };
  const { program, args } = wrapInBubblewrap(
    '/usr/bin/bwrap',
    START,
    '/svc/job/repo',
    reach,
    (path) => kinds[path] ?? null,
  );
  const line = args.join(' ');
  assert.is(program, '/usr/bin/bwrap');
  assert.match(
    line,
    '--tmpfs /svc --ro-bind /dev/null /key --ro-bind-try /svc/layer /svc/layer --bind /svc/job /svc/job',
  );
  assert.not.match(line, '/gone');
  assert.equal(args.slice(-6), ['--chdir', '/svc/job/repo', '--', 'agent', '--fast', 'a b']);
});

test('the sandbox runtime has a /dev of its own: of a job that lies there nothing would be seen', () => {
  assert.match(explainHiddenJobFolder('runtime', '/dev/shm/svc/job') ?? '', /lies in \/dev/);
  assert.is(explainHiddenJobFolder('runtime', '/home/ann/.svc/work/job'), null);
  assert.is(explainHiddenJobFolder('bubblewrap', '/dev/shm/svc/job'), null);
});

test('a command of the user comes before the program, with the places filled in', () => {
  const places = { job: '/j', cwd: '/j/repo', home: '/svc' };
  assert.equal(prefixProgram(['jail', '--private={job}', '--cd={cwd}'], START, places), {
    program: 'jail',
    args: ['--private=/j', '--cd=/j/repo', 'agent', '--fast', 'a b'],
  });
});

test('an exit code above 128 of a sandbox is the signal that ended the program', () => {
  const sandbox = { profile: 'bubblewrap' as const, wrap: () => START, bridge: false };
  assert.equal(decodeSandboxExit({ sandbox }, 137, null), { code: null, signal: 'SIGKILL' });
  assert.equal(decodeSandboxExit({ sandbox }, 3, null), { code: 3, signal: null });
  assert.equal(decodeSandboxExit({ sandbox: undefined }, 137, null), { code: 137, signal: null });
});

test('signals go to the processes that are deepest inside, not to those around them', () => {
  const row = (pid: number, parent: number, depth: number) => ({ pid, parent, depth });
  const rows = [row(10, 1, 1), row(11, 10, 1), row(12, 11, 2), row(13, 12, 3), row(9, 13, 3)];
  assert.equal(pickInnermostProcesses(rows, 10).sort(), [13, 9]);
  assert.equal(pickInnermostProcesses([...rows, row(50, 1, 3)], 10).includes(50), false);
  assert.equal(pickInnermostProcesses([row(10, 1, 1)], 10), []);
});

const INSIDE = {
  platform: 'linux' as const,
  argv: ['echo', "it's"],
  cwd: '/j/repo',
  temporary: '/j/tmp',
  toolUrl: 'http://127.0.0.1:9/mcp/x',
  wayFile: '/j/way.json',
  hosts: ['registry.example.org'],
};

test('words of the command line are quoted', () => {
  assert.match(buildInsideCommand(INSIDE), `exec 'echo' 'it'\\''s'`);
});

test('on Linux clients ask the proxy for every host but their own loopback, where allowed ports are relayed', () => {
  const plain = buildInsideCommand(INSIDE);
  assert.match(plain, 'export NO_PROXY=localhost,127.0.0.1,::1 no_proxy=');
  assert.not.match(plain, 'socat');
  const hosts = ['127.0.0.1:11434', 'models.example.com:443'];
  const relayed = buildInsideCommand({ ...INSIDE, hosts });
  assert.match(relayed, /socat TCP-LISTEN:11434,.*PROXY:localhost:127\.0\.0\.1:11434,/);
  assert.not.match(relayed, 'models.example.com');
});

test('on macOS, which has one loopback, clients ask the proxy for hosts of this network where one is allowed', () => {
  const mac = { ...INSIDE, platform: 'darwin' as const };
  assert.not.match(buildInsideCommand(mac), 'NO_PROXY');
  assert.match(buildInsideCommand({ ...mac, hosts: ['127.0.0.1:11434'] }), 'export NO_PROXY= ');
});

test('a refusal is reported once, and none of places that the sandbox provides', () => {
  const refusals = new Refusals();
  assert.is(refusals.take('deny openat /etc/x'), 'deny openat /etc/x');
  assert.is(refusals.take('deny openat /etc/x'), null);
  assert.is(refusals.take('deny openat /dev/null'), null);
  assert.is(refusals.take('deny openat /devices'), 'deny openat /devices');
});

test('there is a most of refusals', () => {
  const refusals = new Refusals();
  const lines = Array.from({ length: MAX_REFUSALS + 5 }, (_, n) => refusals.take(`deny ${n}`));
  assert.is(lines.filter((line) => line !== null).length, MAX_REFUSALS);
});

test.run();
