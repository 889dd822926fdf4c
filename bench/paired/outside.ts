import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { BENCH_TOKEN } from '../home.ts';
import { HttpConnection, requestBytes } from '../httpConnection.ts';
import { RunnerUnderTest } from '../runnerUnderTest.ts';

/** Senders, and slots for jobs: as many as the configuration allows. */
const CONCURRENT = 64;
const WORKFLOW = 'workflows/whole.md';
/** Between two looks at a job that has not ended, ms. */
const LOOK_MS = 10;
/** Longest that jobs may take together, ms. */
const JOBS_MS = 300_000;

const names = ['one', 'two', 'three', 'four', 'five', 'six'];

/**
 * Six phases without an agent, whose checkpoints are approved in advance: no program runs, so only
 * svc's own work is measured.
 */
const WORKFLOW_FILE = `---
initial_phase: one
initial_status: doing-one
phases:
${names.map((name) => `  - { name: ${name}, agent: null, status: doing-${name}, interactive_checkpoint: true }`).join('\n')}
createParams:
  required: []
---

A workflow of the benches.
`;

/**
 * Environment for both commits. Proxies and certificates of this machine are left out: they slow a
 * start, and not every commit reads them.
 */
function environment(): Record<string, string> {
  const { PATH = '', HOME = '', TMPDIR } = process.env;
  return { PATH, HOME, ...(TMPDIR === undefined ? {} : { TMPDIR }) };
}

/** A home in the form that every version of svc since 0.2.0 reads. */
export function pairedHome(home: string): void {
  const overlay = join(home, 'overlay');
  mkdirSync(join(overlay, 'workflows'), { recursive: true });
  writeFileSync(join(overlay, WORKFLOW), WORKFLOW_FILE);
  writeFileSync(join(home, 'runner.token'), BENCH_TOKEN, { mode: 0o600 });
  const settings = {
    tenant: { overlay: { kind: 'localDir', path: overlay } },
    runner: { maxConcurrentJobs: CONCURRENT },
  };
  writeFileSync(join(home, 'config.json'), JSON.stringify(settings));
}

export interface StartCosts {
  /** Since exec, ms. */
  ms: number;
  /** Processor time, user and system, ms; NaN where /proc does not tell. */
  cpuMs: number;
}

export async function startCosts(program: string, home: string): Promise<StartCosts> {
  const runner = await RunnerUnderTest.start(program, home, environment());
  try {
    const connection = await HttpConnection.open(runner.port);
    await connection.ask(requestBytes('GET', '/health'));
    const ms = performance.now() - runner.spawnedAt;
    const cpuMs = runner.cpuMs();
    connection.close();
    return { ms, cpuMs };
  } finally {
    await runner.end('SIGTERM');
  }
}

const readCreatedId = (text: string): string => {
  const { jobId } = JSON.parse(text);
  return jobId;
};

async function untilComplete(
  connection: HttpConnection,
  jobId: string,
  latest: number,
): Promise<void> {
  const look = requestBytes('GET', `/jobs/${jobId}`);
  for (;;) {
    const { ended, status } = JSON.parse(await connection.ask(look));
    if (ended && status === 'complete') return;
    if (ended || performance.now() > latest) throw new Error(`the job ${jobId} is ${status}`);
    await wait(LOOK_MS);
  }
}

/**
 * Whole jobs a second of the built program: created over HTTP, until each is shown as complete.
 * `first`: jobs before those that count, while the program is compiled.
 */
export async function jobRate(
  program: string,
  home: string,
  { first, counted }: { first: number; counted: number },
): Promise<number> {
  const runner = await RunnerUnderTest.start(program, home, environment());
  const open = new Set<HttpConnection>();
  const openConnection = async (): Promise<HttpConnection> => {
    const connection = await HttpConnection.open(runner.port);
    open.add(connection);
    return connection;
  };
  try {
    const params = { description: 'Show the day of delivery', autoApprove: true };
    const request = requestBytes('POST', '/jobs', { type: 'job', workflowPath: WORKFLOW, params });
    const run = async (jobs: number): Promise<number> => {
      const ids: string[] = [];
      let remaining = jobs;
      // Opened for each run: the server closes connections that are idle for some seconds.
      const senders = await Promise.all(Array.from({ length: CONCURRENT }, openConnection));
      const start = performance.now();
      const create = async (connection: HttpConnection) => {
        while (remaining > 0) {
          remaining -= 1;
          ids.push(readCreatedId(await connection.ask(request)));
        }
        connection.close();
      };
      await Promise.all(senders.map(create));
      // One by one: many parallel requests would themselves be what is measured.
      const asking = await openConnection();
      for (const id of ids) await untilComplete(asking, id, start + JOBS_MS);
      const rate = (jobs / (performance.now() - start)) * 1_000;
      asking.close();
      return rate;
    };
    await run(first);
    return await run(counted);
  } finally {
    for (const connection of open) connection.close();
    await runner.end('SIGTERM');
  }
}
