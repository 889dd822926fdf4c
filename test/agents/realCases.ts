import * as assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Executor, SessionRequest } from '../../src/contract/session/executor.ts';
import { listMarkedProcesses } from '../../src/executors/process/processTable.ts';
import { isAlive } from '../support/agents/sessionRequest.ts';
import { type AgentProgram, MODEL_KEY } from './programs.ts';
import { openStage, type Running, type Stage } from './stage.ts';

/** What a case measured, for the report. */
export type Figures = Readonly<Record<string, number | string>>;

/** Longest wait for an acknowledgement, ms. */
const ACK_MS = 5_000;
const WAITS = { shell: 'while [ ! -f go ]; do sleep 0.05; done; echo went' };

/** A file of a process; empty where it has ended meanwhile. */
const ofProcess = (pid: number, name: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
};

const listSessionProcesses = async ({ request }: Running) =>
  listMarkedProcesses((marker) => marker === request.marker);

async function measureMemory(running: Running): Promise<number> {
  const pids = (await listSessionProcesses(running)).map(({ pid }) => pid);
  const kib = pids.map((pid) => Number(/VmRSS:\s+(\d+)/.exec(ofProcess(pid, 'status'))?.[1] ?? 0));
  return Math.round(kib.reduce((sum, one) => sum + one, 0) / 1024);
}

/** Files below a folder that hold a text. */
const listFilesWith = (dir: string, text: string): string[] =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => readFileSync(file).includes(text));

const start = (
  stage: Stage,
  executor: Executor,
  { provider, model }: AgentProgram,
  more: Partial<SessionRequest> = {},
): Promise<Running> =>
  stage.run(executor, provider, { llm: { provider, model, reasoningEffort: null }, ...more });

/** An interrupt in the middle of a command, with the time and the memory; then the canaries. */
export async function interruptAndSecrets(program: AgentProgram, dir: string): Promise<Figures> {
  process.env.SVC_TEST_CANARY = 'canary-of-the-runner';
  await using stage = await openStage({
    work: [{ calls: [{ shell: 'env > env.txt' }] }, { calls: [WAITS] }],
    other: [{ say: 'Another way.' }],
  });
  const startedAt = performance.now();
  const running = await start(stage, program.open(dir, stage.model.url), program);
  const { steering, result } = running.session;
  assert.ok(steering);
  await stage.model.requests.until(
    ({ script, body }) => script === 'work' && JSON.stringify(body).includes('call_'),
  );
  const untilWork = Math.round(performance.now() - startedAt);
  await running.until(
    (event) => event.type === 'tool' && event.at === 'start' && event.detail.includes('-f go'),
  );
  const megabytes = await measureMemory(running);
  const processes = await listSessionProcesses(running);
  const argv = processes.map(({ pid }) => ofProcess(pid, 'cmdline')).join('\n');
  const environments = processes.map(({ pid }) => ofProcess(pid, 'environ')).join('\n');
  const { token } = running.request.tools;
  for (const secret of [MODEL_KEY, token])
    assert.equal(argv.includes(secret), false, 'a secret is in the arguments');
  for (const secret of ['canary-of-the-runner', token])
    assert.equal(environments.includes(secret), false, 'a secret in the environment');
  const interruptedAt = performance.now();
  assert.equal(await steering.interrupt(ACK_MS), true);
  const ackMs = Math.round(performance.now() - interruptedAt);
  assert.equal((await running.turn(1)).stopReason, 'interrupted');
  steering.send([{ id: 'm1', text: '[DEVELOPER MESSAGE] Do it @@other.' }]);
  assert.equal((await running.turn(2)).stopReason, 'end_turn');
  steering.close();
  assert.equal((await result).stopReason, 'end_turn');
  delete process.env.SVC_TEST_CANARY;
  assert.equal((await listSessionProcesses(running)).length, 0, 'a process is left');
  assert.equal(JSON.stringify(running.events).includes(MODEL_KEY), false);
  // mcp.json is for programs of the agent, and is removed by the runner.
  const files = listFilesWith(join(stage.dir, 'job'), token).filter(
    (file) => !file.endsWith('/mcp.json'),
  );
  assert.deepEqual(files, [], 'the token lies in a file');
  const elsewhere = stage.proxy.attempts.filter((host) => !host.startsWith('registry.npmjs.org'));
  if (program.isSilent)
    assert.deepEqual(stage.proxy.attempts, [], 'it tried to connect to another host');
  return {
    'first tool call ms': untilWork,
    'interrupt ack ms': ackMs,
    'memory MB': megabytes,
    'reached out': elsewhere.join(' ') || 'no',
  };
}

/**
 * A frozen agent: nothing is acknowledged or reported as delivered, and the end of the session ends
 * it.
 */
export async function measureFrozenAgent(program: AgentProgram, dir: string): Promise<Figures> {
  await using stage = await openStage({ work: [{ calls: [WAITS] }] });
  const running = await start(stage, program.open(dir, stage.model.url), program);
  const { steering } = running.session;
  assert.ok(steering);
  await running.until((event) => event.type === 'tool' && event.at === 'start');
  const pids = (await listSessionProcesses(running)).map(({ pid }) => pid);
  for (const pid of pids) if (await isAlive(pid)) process.kill(pid, 'SIGSTOP');
  assert.equal(await steering.interrupt(1_000), false);
  const startedAt = performance.now();
  await running.session.end(500);
  const endMs = Math.round(performance.now() - startedAt);
  assert.equal((await running.session.result).stopReason, 'interrupted');
  for (const pid of pids) assert.equal(await isAlive(pid), false, 'a frozen process is left');
  return { 'end of a frozen one ms': endMs };
}

/** What their programs call tools that change files, and those that run commands. */
const WRITING = ['Write', 'Edit', 'write', 'edit', 'write_file', 'replace', 'apply_patch', 'patch'];
const COMMANDS = ['Bash', 'bash', 'run_shell_command', 'exec_command', 'shell_command', 'shell'];
const NOTED = { svc: 'add_insight', args: { category: 'testing', text: 'It is quick.' } };

/**
 * A phase's list of tools: nothing beyond it is offered to the model, and the tools of the job are
 * there and can be called.
 */
export async function phaseTools(program: AgentProgram, dir: string): Promise<Figures> {
  const figures: Record<string, number> = {};
  for (const builtInTools of [['read', 'shell'], ['read']]) {
    await using stage = await openStage({ work: [{ calls: [NOTED] }, { say: 'Done.' }] });
    const running = await start(stage, program.open(dir, stage.model.url), program, {
      builtInTools,
    });
    await running.turn(1);
    running.session.steering?.close();
    assert.equal((await running.session.result).stopReason, 'end_turn');
    assert.equal(stage.port.sent.length, 1, 'a tool of the job was called');
    // The first request of some is for a title and offers none.
    const offered = stage.model.requests.played.flatMap((request) => request.offered);
    const among = (names: readonly string[]) => [
      ...new Set(offered.filter((name) => names.includes(name))),
    ];
    assert.deepEqual(among(WRITING), [], 'tools that write are offered');
    assert.equal(
      among(COMMANDS).length > 0,
      builtInTools.includes('shell'),
      `commands: ${among(COMMANDS).join(' ')}`,
    );
    assert.ok(offered.some((name) => name.endsWith('goto_phase')));
    figures[`tools with ${builtInTools.join(' and ')}`] = new Set(offered).size;
  }
  return figures;
}
