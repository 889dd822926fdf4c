import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Client, createClient } from '../src/client/client.ts';
import { followJob } from '../src/client/stream.ts';
import type { LogFrame, StateFrame } from '../src/schema/frames.ts';
import type { Job } from '../src/schema/job.ts';
import { review } from './reviewer.ts';
import { RunnerProcess } from './runnerProcess.ts';
import { makeSampleRepository } from './sampleRepository.ts';
import { Screen } from './screen.ts';

/** Longest run before the demo gives up. */
const LIMIT_MS = 120_000;
/** A clean run takes about four seconds from the request on; the crash falls somewhere in the first of them. */
const CRASH_WITHIN_MS = 3_500;
const LOOK_EVERY_MS = 100;

const { values: flags } = parseArgs({
  options: {
    crash: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
  },
});

/** Folder of the package: the built demo stands in dist/demo. */
const packageRoot = join(import.meta.dirname, '..', '..');

const writeHome = (dir: string): string => {
  const home = join(dir, 'home');
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const repository = makeSampleRepository(dir);
  const tenant = join(dir, 'tenant');
  cpSync(join(packageRoot, 'demo', 'intelligence'), tenant, { recursive: true });
  const config = {
    tenant: { displayName: 'Demo', overlay: { kind: 'localDir', path: tenant } },
    forges: { local: { repos: { titles: repository } } },
  };
  writeFileSync(join(home, 'config.json'), `${JSON.stringify(config, null, 2)}\n`, { mode: 0o600 });
  return home;
};

const clientOf = (runner: RunnerProcess): Client => createClient({ baseUrl: runner.url, token: runner.token });

const main = async (): Promise<void> => {
  const startedAt = Date.now();
  const screen = new Screen(startedAt, flags.json);
  const dir = mkdtempSync(join(tmpdir(), 'svc-demo-'));
  const home = writeHome(dir);
  const runner = new RunnerProcess(home, join(packageRoot, 'cli', 'bin', 'run.js'));
  const stop = new AbortController();
  try {
    screen.title('A runner of its own, a small repository with a failing test, one job of the default workflow.');
    await runner.start();
    screen.say(`runner at ${runner.url}`);
    const { jobId } = await clientOf(runner).createJob({
      type: 'job',
      workflowPath: 'workflows/job.md',
      params: {
        repoSlug: 'titles',
        description: 'The tests of this repository fail. Find out why and mend it.',
        reviewers: ['reviewer'],
      },
    });
    screen.say(`job ${jobId}`);
    const job = await playToTheEnd(
      runner,
      jobId,
      screen,
      stop.signal,
      flags.crash ? Date.now() + Math.random() * CRASH_WITHIN_MS : null,
    );
    await summarise(runner, job, screen, startedAt, home);
    process.exitCode = job.status === 'complete' && job.prMappings.length === 1 && job.prMappings[0]?.state === 'merged' ? 0 : 1;
  } finally {
    stop.abort();
    await runner.stop();
    if (flags.json && !flags.keep) rmSync(dir, { recursive: true, force: true });
  }
};

/** Follows the job, reviews as a person would, and once pulls the plug when asked to. */
const playToTheEnd = async (
  runner: RunnerProcess,
  jobId: string,
  screen: Screen,
  signal: AbortSignal,
  crashAt: number | null,
): Promise<Job> => {
  const deadline = Date.now() + LIMIT_MS;
  let plug = crashAt;
  let after = 0;
  let following = new AbortController();
  const follow = () => {
    following = new AbortController();
    void followJob({
      client: clientOf(runner),
      jobId,
      after,
      signal: AbortSignal.any([signal, following.signal]),
      onFrame: (frame) => {
        after = Math.max(after, frame.n);
        if (frame.kind === 'state') screen.state(frame.data as StateFrame);
        if (frame.kind === 'log') screen.log(frame.data as LogFrame);
      },
    }).catch(() => undefined);
  };
  follow();
  while (Date.now() < deadline) {
    if (plug !== null && Date.now() >= plug) {
      plug = null;
      following.abort();
      await runner.kill();
      screen.crash('kill -9: the runner is gone; a new one starts on the same home');
      await runner.start();
      follow();
    }
    const client = clientOf(runner);
    const job = await client.job(jobId);
    if (job.ended && plug === null) {
      following.abort();
      return job;
    }
    const did = await review(client, job);
    if (did) screen.person(did);
    await wait(LOOK_EVERY_MS);
  }
  throw new Error(`the job did not end within ${LIMIT_MS / 1000} s; look at it with SVC_HOME=${runner.url}`);
};

const summarise = async (runner: RunnerProcess, job: Job, screen: Screen, startedAt: number, home: string): Promise<void> => {
  const ms = Date.now() - startedAt;
  const prs = job.prMappings.length;
  const merges = job.prMappings.filter(({ state }) => state === 'merged').length;
  const report = job.artefacts.filter(({ kind }) => kind === 'report-md').at(-1);
  const text = report ? await clientOf(runner).artefact(job.id, report.id) : '';
  screen.plain(`
${job.status === 'complete' ? 'Complete' : job.status}: ${job.phases.length} phase visits in ${(ms / 1000).toFixed(1)} s, ${runner.restarts} restarts

  phases      ${job.phases.map(({ phase }) => phase).join(' → ')}
  pull request ${job.prMappings.map(({ prId, state, mergedAt }) => `${prId} ${state}${mergedAt ? ` at ${mergedAt}` : ''}`).join(', ')}
  artefacts   ${job.artefacts.map(({ title, kind }) => `${title} (${kind})`).join(', ')}
  journal     ${job.journalLength} rows

${text.trim().replace(/^/gm, '  | ')}

To look further, start a runner on the same home and ask it:
  export SVC_HOME=${home}
  npx svc start --no-open &
  npx svc status --job ${job.id}
  npx svc logs --job ${job.id}
  npx svc pr show --repo titles --number 1
  npx svc pr diff --repo titles --number 1`);
  if (flags.json) {
    const phases = job.phases.map(({ phase }) => phase);
    process.stdout.write(
      `${JSON.stringify({ jobId: job.id, status: job.status, phases, prs, merges, restarts: runner.restarts, ms })}\n`,
    );
  }
};

await main();
