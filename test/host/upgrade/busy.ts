/**
 * npm run test:busy [-- --load 20] [-- --rounds 3]
 *
 * Restarts the built runner as soon as it answers, upgrades it, and takes back a build that does not
 * start, while other processes keep every core busy. The last line is a summary as JSON; the exit
 * code is 1 where one of them ended otherwise than on a quiet machine.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { readRunnerInfo } from '../../../src/host/config/home/runnerInfo.ts';
import { toolFlags } from '../../../scripts/toolFlags.ts';
import { otherBuild } from '../../support/upgrade/otherBuild.ts';

/** Between two requests until the runner answers, ms. */
const LOOK_MS = 50;
const ROOT = resolve(import.meta.dirname, '../../..');

const { values } = toolFlags({
  options: {
    load: { type: 'string', default: '20' },
    rounds: { type: 'string', default: '3' },
  },
});

/** Processes that use a core as long as they live, and end with this one. */
function startLoad(count: number): ChildProcess[] {
  const busy = `const parent = ${process.pid}; for (let n = 0; ; n++) if (n % 1e8 === 0) try { process.kill(parent, 0); } catch { process.exit(); }`;
  return Array.from({ length: count }, () =>
    spawn(process.execPath, ['-e', busy], { stdio: 'ignore' }),
  );
}

/** What `svc …` of the program in `root` ended with, and what it printed. */
async function svc(root: string, home: string, ...args: string[]) {
  const env = { ...process.env, SVC_HOME: home, NO_COLOR: '1' };
  const script = join(root, 'cli/bin/run.js');
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [script, ...args], {
      env,
    });
    return { code: 0, text: stdout + stderr };
  } catch (error) {
    const { code, stdout, stderr } = Object(error);
    return { code: Number(code), text: `${stdout}${stderr}` };
  }
}

/** Starts the runner of a new home and returns as soon as it answers. */
async function startRunner(home: string): Promise<ChildProcess> {
  const env = { ...process.env, SVC_HOME: home };
  const script = join(ROOT, 'cli/bin/run.js');
  const runner = spawn(process.execPath, [script, 'start', '--no-open', '--port', '0'], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const answers = async (): Promise<boolean> => {
    const info = await readRunnerInfo(home);
    if (info === null) return false;
    return fetch(`${info.url}/health`).then(
      ({ ok }) => ok,
      () => false,
    );
  };
  while (!(await answers())) {
    if (runner.exitCode !== null) throw new Error(`svc start ended with ${runner.exitCode}`);
    await sleep(LOOK_MS);
  }
  return runner;
}

interface Step {
  name: string;
  run: (home: string) => ReturnType<typeof svc>;
  code: number;
  text: RegExp;
}

const builds = mkdtempSync(join(tmpdir(), 'svc-busy-builds-'));
const newer = otherBuild(builds, '0.9.1');
const broken = otherBuild(builds, '0.9.2', 'start');
const STEPS: Step[] = [
  { name: 'restart', run: (home) => svc(ROOT, home, 'restart'), code: 0, text: /runs again at/ },
  { name: 'restart', run: (home) => svc(ROOT, home, 'restart'), code: 0, text: /runs again at/ },
  { name: 'upgrade', run: (home) => svc(newer, home, 'upgrade'), code: 0, text: /^svc 0\.9\.1 /m },
  {
    name: 'take-back',
    run: (home) => svc(broken, home, 'upgrade'),
    code: 1,
    text: /svc 0\.9\.2 .* was rolled back, and svc 0\.9\.1 .* continues/,
  },
];

/** One home: each step in turn; what did not end as it should. */
async function playRound(n: number): Promise<{ problems: string[]; seconds: number[] }> {
  const home = mkdtempSync(join(tmpdir(), 'svc-busy-'));
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, 'config.json'), '{}\n');
  const problems: string[] = [];
  const seconds: number[] = [];
  const runner = await startRunner(home);
  try {
    for (const { name, run, code, text } of STEPS) {
      const began = performance.now();
      const result = await run(home);
      seconds.push(Math.round((performance.now() - began) / 100) / 10);
      console.log(`round ${n}, ${name}: exit code ${result.code} after ${seconds.at(-1)} s`);
      if (result.code !== code || !text.test(result.text))
        problems.push(`round ${n}, ${name}: exit code ${result.code}\n${result.text}`);
    }
  } finally {
    const exit = new Promise((resolve) => runner.once('exit', resolve));
    runner.kill('SIGTERM');
    await exit;
    rmSync(home, { recursive: true, force: true });
  }
  return { problems, seconds };
}

const load = startLoad(Number(values.load));
const rounds: Awaited<ReturnType<typeof playRound>>[] = [];
try {
  for (let n = 1; n <= Number(values.rounds); n++) rounds.push(await playRound(n));
} finally {
  for (const child of load) child.kill('SIGKILL');
  rmSync(builds, { recursive: true, force: true });
}
const problems = rounds.flatMap((round) => round.problems);
for (const problem of problems) console.log(problem);
console.log(
  JSON.stringify({
    load: load.length,
    rounds: rounds.length,
    steps: rounds.length * STEPS.length,
    wrong: problems.length,
    slowestSeconds: Math.max(...rounds.flatMap(({ seconds }) => seconds)),
  }),
);
process.exitCode = problems.length === 0 ? 0 : 1;
