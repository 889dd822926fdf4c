/**
 * npm run test:conformance
 *
 * Runs the scenarios of the MCP conformance suite that apply against the tool server. The suite
 * needs Node 22, so both come from the npm registry into a folder outside the project. The other
 * scenarios are about what the tool server does not offer (prompts, resources, sampling,
 * elicitation, logging, sessions) or want tools with names of the suite's own. Last line: N passed,
 * N failed.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

const SUITE = '@modelcontextprotocol/conformance@0.1.16';
const SCENARIOS = [
  'server-initialize',
  'ping',
  'tools-list',
  'tools-call-error',
  'dns-rebinding-protection',
];
/** Longest scenario, ms. */
const SCENARIO_MS = 30_000;

const root = resolve(import.meta.dirname, '..');
// The package of this platform itself: `node` would fetch it in an install script, which npm may
// refuse to run.
const nodePackage = `node-${process.platform}-${process.arch}`;
const prefix = join(tmpdir(), 'svc-mcp-conformance-0.1.16');
const node = join(prefix, 'node_modules', nodePackage, 'bin', 'node');
const suite = join(
  prefix,
  'node_modules',
  '@modelcontextprotocol',
  'conformance',
  'dist',
  'index.js',
);

if (!existsSync(suite) || !existsSync(node)) {
  mkdirSync(prefix, { recursive: true });
  const args = [
    'install',
    '--prefix',
    prefix,
    '--no-save',
    '--no-fund',
    '--no-audit',
    '--ignore-scripts',
    '--force',
  ];
  const { status } = spawnSync('npm', [...args, SUITE, `${nodePackage}@22`], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) process.exit(status ?? 1);
}

const host = spawn(
  process.execPath,
  ['--import', 'tsx', join(root, 'test/conformance/toolServerHost.ts')],
  {
    cwd: root,
    stdio: ['pipe', 'pipe', 'inherit'],
  },
);
const url = await new Promise<string>((reported, failed) => {
  createInterface(host.stdout).once('line', reported);
  host.once('exit', (code) => failed(new Error(`the tool server ended with ${code}`)));
});
let passed = 0;
for (const scenario of SCENARIOS) {
  const { status, stdout, stderr } = spawnSync(
    node,
    [suite, 'server', '--url', url, '--scenario', scenario],
    {
      encoding: 'utf8',
      timeout: SCENARIO_MS,
      env: { ...process.env, NO_COLOR: '1' },
    },
  );
  const checks = /Passed: (\d+)\/(\d+), 0 failed, 0 warnings/.exec(stdout);
  const good = status === 0 && checks !== null && Number(checks[1]) > 0 && checks[1] === checks[2];
  console.log(
    `${good ? 'ok  ' : 'FAIL'}  ${scenario}${checks === null ? '' : `  ${checks[1]} checks`}`,
  );
  if (good) passed += 1;
  else console.log(`${stdout}\n${stderr}`.slice(0, 10_000));
}
host.stdin.end();
console.log(`${passed} passed, ${SCENARIOS.length - passed} failed`);
process.exit(passed === SCENARIOS.length ? 0 : 1);
