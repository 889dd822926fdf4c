import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import * as assert from 'uvu/assert';
import type { Job } from '../../src/contract/schema/job/job.ts';
import { Story, type StoryOptions } from './story.ts';

/** A workflow whose one agent ends at once: what still works while others attack. */
const HEALTHY = {
  'workflows/healthy.md':
    '---\ninitial_phase: only\ninitial_status: only\nphases:\n  - { name: only, agent: agents/healthy.md, status: only }\n---\n\nA healthy job.\n',
  'agents/healthy.md': "---\ndescription: healthy\ncommand: ['true']\n---\n\nEnds its turn.\n",
};

/** One phase `work` with the agent `worker`, for a story of one program. */
export const ONE_PHASE = `
initial_phase: work
initial_status: working
phases:
  - { name: work, agent: agents/worker.md, status: working }
`;

/**
 * A started runner that has the healthy workflow besides its own; to be ended with {@link endAll}.
 */
export async function attackedRunner(options: StoryOptions): Promise<Story> {
  const it = new Story({ ...options, tenant: { ...HEALTHY, ...options.tenant } });
  try {
    await it.runner.start();
    return it;
  } catch (error) {
    await it.end();
    throw error;
  }
}

/** Stops the runner, so that its agents end as well, and removes everything. */
export async function endAll(it: Story): Promise<void> {
  await it.runner.stop();
  await it.end();
}

/** Starts a job of a workflow on the story's repository; answers its id. */
export const startJob = async (
  it: Story,
  workflowPath: string,
  params: Record<string, unknown> = {},
): Promise<string> =>
  (
    await it.client.createJob({
      type: 'job',
      workflowPath,
      params: { repoSlug: 'repo', description: 'a job', ...params },
    })
  ).jobId;

/** The runner continues: it is healthy, and a job that is started now completes. */
export async function goesOn(it: Story): Promise<Job> {
  // A program that was waited for has kept this process from seeing that an idle connection was closed.
  for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve));
  assert.is((await it.client.health()).status, 'ok');
  const job = await it.until(await startJob(it, 'workflows/healthy.md'), ({ ended }) => ended);
  assert.is(job.status, 'complete', job.escalationMessage ?? '');
  return job;
}

export interface Reply {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/** Sends exactly this path and these headers on a connection of its own; a token for changes. */
export async function send(
  it: Story,
  method: string,
  path: string,
  { headers = {}, body }: { headers?: Record<string, string>; body?: string | Buffer } = {},
): Promise<Reply> {
  const { hostname, port } = new URL(it.runner.url);
  // As every client that is not about to end: who asks for `close` is cut off while it still sends.
  const json = {
    Connection: 'keep-alive',
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
  };
  const token: Record<string, string> =
    method === 'GET' ? {} : { Authorization: `Bearer ${it.runner.token}` };
  const outgoing = request({
    host: hostname,
    port,
    path,
    method,
    headers: { ...json, ...token, ...headers },
    agent: false,
  });
  outgoing.end(body);
  const [response]: [IncomingMessage] = (await once(outgoing, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += chunk;
  outgoing.destroy();
  return { status: response.statusCode ?? 0, headers: response.headers, text };
}

/** The problem document of a refusal, with all members, whose status and type fit the code. */
export function parseProblem(
  { status, headers, text }: Reply,
  what: string,
): { status: number; code: string; detail: string; [member: string]: unknown } {
  assert.match(
    headers['content-type'] ?? '',
    /^application\/problem\+json/,
    `${what}: ${status} ${text.slice(0, 200)}`,
  );
  const problem = JSON.parse(text);
  assert.is(problem.status, status, what);
  assert.is(problem.type, `urn:svc:problem:${problem.code}`, what);
  for (const member of ['title', 'detail', 'code', 'requestId'])
    assert.type(problem[member], 'string', `${what}: ${member}`);
  return problem;
}

/** Memory of a process, MiB: now, and the most that it ever had. Only on Linux. */
export function readMemory(pid: number): { now: number; most: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const mib = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) / 1024;
  return { now: mib('VmRSS'), most: mib('VmHWM') };
}
