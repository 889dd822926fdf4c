import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { waitUntil } from '../support/cloud/testTeam.ts';
import { canTrace } from '../support/crash/systemCalls.ts';

const test = suite('the program: svc start without a team');

const PROJECT = resolve(import.meta.dirname, '../..');
const PROGRAM = join(PROJECT, 'cli/bin/run.js');
/** Port 1 of this machine, where nothing answers. */
const NO_CONTROL_PLANE = 'http://127.0.0.1:1';
/** Longest start of a busy machine, ms. */
const START_MS = 60_000;

interface Trace {
  config: object;
  /** Whether enough was seen, by what the runner has printed and called. */
  isEnough(output: string, calls: string): boolean;
  signal: 'SIGTERM' | 'SIGKILL';
}

/** System calls of `svc start` from its first instruction until its end, to which it is sent once enough was seen. */
async function traceStart({ config, isEnough, signal }: Trace): Promise<string> {
  const home = mkdtempSync(join(tmpdir(), 'svc-alone-'));
  const file = join(home, 'calls');
  writeFileSync(join(home, 'config.json'), JSON.stringify(config));
  writeFileSync(file, '');
  const options = [
    '-f',
    '--seccomp-bpf',
    '-s',
    '400',
    '-e',
    'trace=open,openat,socket,connect,bind',
  ];
  const child = spawn(
    'strace',
    [...options, '-o', file, process.execPath, PROGRAM, 'start', '--no-open', '--port', '0'],
    { env: { ...process.env, SVC_HOME: home }, stdio: ['ignore', 'pipe', 'ignore'] },
  );
  const exited = once(child, 'exit');
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text;
  });
  const read = () => readFileSync(file, 'utf8');
  await waitUntil(() => isEnough(output, read()), START_MS);
  // The first process of the trace is the runner.
  process.kill(Number(/^\d+/.exec(read())?.[0]), signal);
  await exited;
  const calls = read();
  rmSync(home, { recursive: true, force: true });
  return calls;
}

/** Built files that were read, below `dist/`. */
const listBuiltFiles = (calls: string): string[] => [
  ...new Set(calls.match(/(?<=")[^"]*\/dist\/[^"]*\.js(?=".*\) = \d)/g)),
];

/** Those with code of the link, or of the control plane: the build names each source. */
const listTeamFiles = (calls: string): string[] =>
  listBuiltFiles(calls).filter((file) =>
    /^\/\/ src\/(?:cloud|cloudLink)\//m.test(readFileSync(resolve(PROJECT, file), 'utf8')),
  );

/** Calls about addresses of the network; sockets of this machine alone, such as that of a name service, are left out. */
const listNetworkCalls = (calls: string): string[] =>
  calls
    .split('\n')
    .filter((line) => /\b(?:socket|connect|bind)\(.*AF_INET/.test(line))
    .map((line) => /\b(?:socket|connect|bind)(?=\()/.exec(line)?.[0] ?? '');

if (!canTrace)
  console.log('left out: what svc start opens; strace is missing, or may not trace processes here');
const traced = canTrace ? test : test.skip;

traced(
  'it reads no code of the link or the control plane, and opens no socket but that of its port (strace)',
  async () => {
    const calls = await traceStart({
      config: {},
      isEnough: (output) => output.includes('listening on'),
      signal: 'SIGTERM',
    });
    assert.ok(listBuiltFiles(calls).length > 20, 'the trace names the built files');
    assert.equal(listTeamFiles(calls), []);
    assert.equal(listNetworkCalls(calls), ['socket', 'bind']);
  },
);

traced(
  'with cloud.url and cloud.token the same trace shows the link and its socket (strace)',
  async () => {
    const calls = await traceStart({
      config: { cloud: { url: NO_CONTROL_PLANE, token: 'svcr_none' } },
      // It does not listen before its control plane has answered once.
      isEnough: (_, calls) => listNetworkCalls(calls).includes('connect'),
      signal: 'SIGKILL',
    });
    assert.ok(listTeamFiles(calls).length > 0);
    assert.ok(listNetworkCalls(calls).includes('connect'));
  },
);

test.run();
