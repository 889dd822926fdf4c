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
 * Six phases without an agent, whose checkpoints are approved in advance: no program runs, what is
 * left is svc.
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

/** From exec of the built program until `/health` is answered, ms. */
export async function startMs(program: string, home: string): Promise<number> {
  const runner = await RunnerUnderTest.start(program, home);
  try {
    const connection = await HttpConnection.open(runner.port);
    await connection.ask(requestBytes('GET', '/health'));
    const ms = performance.now() - runner.spawnedAt;
    connection.close();
    return ms;
  } finally {
    await runner.end('SIGTERM');
  }
}

const created = (text: string): string => {
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
  const runner = await RunnerUnderTest.start(program, home);
  const connections: HttpConnection[] = [];
  try {
    for (let n = 0; n < CONCURRENT; n++) connections.push(await HttpConnection.open(runner.port));
    const params = { description: 'Show the day of delivery', autoApprove: true };
    const request = requestBytes('POST', '/jobs', { type: 'job', workflowPath: WORKFLOW, params });
    const run = async (jobs: number): Promise<number> => {
      const ids: string[] = [];
      let left = jobs;
      const start = performance.now();
      const create = async (connection: HttpConnection) => {
        while (left > 0) {
          left -= 1;
          ids.push(created(await connection.ask(request)));
        }
      };
      await Promise.all(connections.map(create));
      // One by one: many that ask all the time would be what is measured.
      const [asking] = connections;
      if (!asking) throw new Error('there is no connection');
      for (const id of ids) await untilComplete(asking, id, start + JOBS_MS);
      return (jobs / (performance.now() - start)) * 1_000;
    };
    await run(first);
    return await run(counted);
  } finally {
    for (const connection of connections) connection.close();
    await runner.end('SIGTERM');
  }
}
