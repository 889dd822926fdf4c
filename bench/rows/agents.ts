import { setTimeout as wait } from 'node:timers/promises';
import { SPEAKING_WORKFLOW_PATH } from '../benchWorkflow.ts';
import { under } from '../figure.ts';
import { writeHome } from '../home.ts';
import { HostProcess } from '../hostProcess.ts';
import type { RunnerHostCalls } from '../hosts/runnerHost.ts';
import { HttpConnection, requestBytes } from '../httpConnection.ts';
import { monotonicMs } from '../monotonic.ts';
import { median, percentile } from '../statistics.ts';
import type { Row } from './row.ts';

const WARM_UP = 200;
const CALLS = 1_500;
const MESSAGES = 150;
/** Pause between two messages, so that the effects of the previous one are over, ms. */
const APART_MS = 20;

type Host = HostProcess<RunnerHostCalls>;

/** Calls of a tool that changes the job: MCP, gate, kernel, commit, answer; ms each. */
async function toolCalls(host: Host, port: number): Promise<number[]> {
  const [tools] = await host.call('tools');
  if (!tools) throw new Error('no session runs');
  const connection = await HttpConnection.open(port);
  const headers = {
    Authorization: `Bearer ${tools.token}`,
    Accept: 'application/json, text/event-stream',
  };
  const times: number[] = [];
  for (let n = 0; n < WARM_UP + CALLS; n++) {
    const params = { name: 'add_insight', arguments: { category: 'bench', text: `insight ${n}` } };
    const request = requestBytes(
      'POST',
      new URL(tools.url).pathname,
      { jsonrpc: '2.0', id: n, method: 'tools/call', params },
      headers,
    );
    const start = monotonicMs();
    const reply = await connection.ask(request);
    if (n >= WARM_UP) times.push(monotonicMs() - start);
    if (reply.includes('"isError":true')) throw new Error(`the tool refused: ${reply}`);
  }
  connection.close();
  return times;
}

/**
 * From sending a message until it is in the input of an agent that waits for nothing else, ms each.
 */
async function messages(host: Host, port: number, jobId: string): Promise<number[]> {
  const connection = await HttpConnection.open(port);
  const sentAt: number[] = [];
  await host.call('reached');
  for (let n = 0; n < MESSAGES; n++) {
    const request = requestBytes('POST', `/jobs/${jobId}/message`, { message: `message ${n}` });
    sentAt.push(monotonicMs());
    await connection.ask(request);
    await wait(APART_MS);
  }
  await wait(500);
  connection.close();
  const reached = await host.call('reached');
  if (reached.length !== sentAt.length)
    throw new Error(`${reached.length} of ${sentAt.length} messages reached the agent one by one`);
  return reached.map((at, n) => at - (sentAt[n] ?? Number.NaN));
}

/** What the runner adds to an agent's work: the price of a tool call, and the way of a message. */
export const agentsRow: Row = {
  figures: ['tool.p50', 'tool.p99', 'message.p50', 'message.max'],
  async measure(lab, note) {
    const home = lab.folder('agents');
    writeHome(home);
    await using host = await HostProcess.start<RunnerHostCalls>(lab, 'runnerHost', home);
    const port = await host.call('port');
    const connection = await HttpConnection.open(port);
    const body = {
      type: 'job',
      workflowPath: SPEAKING_WORKFLOW_PATH,
      params: { description: 'work' },
    };
    const { jobId }: { jobId: string } = JSON.parse(
      await connection.ask(requestBytes('POST', '/jobs', body)),
    );
    connection.close();
    while ((await host.call('sessions')) < 1) await wait(20);
    const calls = await toolCalls(host, port);
    const ways = await messages(host, port, jobId);
    note(
      `tool calls: slowest ${Math.max(...calls).toFixed(1)} ms; messages: p99 ${percentile(ways, 99).toFixed(1)} ms`,
    );
    return {
      'tool.p50': under({ value: median(calls), unit: 'ms', target: 5 }),
      'tool.p99': under({ value: percentile(calls, 99), unit: 'ms', target: 20 }),
      'message.p50': under({ value: median(ways), unit: 'ms', target: 50 }),
      'message.max': under({ value: Math.max(...ways), unit: 'ms', target: 50 }),
    };
  },
};
