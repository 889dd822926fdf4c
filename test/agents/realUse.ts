import * as assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { McpServer } from '../../src/contract/schema/session/mcpServer.ts';
import { type AgentProgram, MODEL_KEY } from './programs.ts';
import type { Figures } from './realCases.ts';
import { openStage, type Running, type Stage } from './stage.ts';

const BYTES_A_KB = 1024;

/** A tool server over stdio that writes its environment into a file when it starts. */
const SERVER = `
const fs = require('node:fs');
fs.writeFileSync(process.argv[2], JSON.stringify(process.env));
let held = '';
const answer = (id, result) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
process.stdin.on('data', (piece) => {
  const lines = (held + piece).split('\\n');
  held = lines.pop();
  for (const line of lines) {
    if (line.trim() === '') continue;
    const { id, method, params } = JSON.parse(line);
    if (id === undefined) continue;
    if (method === 'initialize')
      answer(id, { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'seen', version: '1' } });
    else if (method === 'tools/list')
      answer(id, { tools: [{ name: 'look', description: 'Looks.', inputSchema: { type: 'object', properties: {} } }] });
    else answer(id, {});
  }
});
process.stdin.on('end', () => process.exit(0));
`;

const startAgent = (
  program: AgentProgram,
  dir: string,
  stage: Stage,
  mcpServers: readonly McpServer[] = [],
): Promise<Running> => {
  const { provider, model } = program;
  return stage.run(program.open(dir, stage.model.url), provider, {
    llm: { provider, model, reasoningEffort: null },
    mcpServers,
  });
};

const endTurn = async (running: Running): Promise<void> => {
  await running.turn(1);
  running.session.steering?.close();
  const { stopReason, error } = await running.session.result;
  assert.equal(stopReason, 'end_turn', error ?? '');
};

/** All files below a folder. */
const filesIn = (dir: string): string[] =>
  existsSync(dir)
    ? readdirSync(dir, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
    : [];

/** The key of the model is in the environment of no command and of no tool server. */
export async function keyStaysOut(program: AgentProgram, dir: string): Promise<Figures> {
  await using stage = await openStage({
    work: [{ calls: [{ shell: 'env > env.txt' }] }, { say: 'Done.' }],
  });
  const script = join(stage.dir, 'server.cjs');
  const envFile = join(stage.dir, 'server-env.json');
  writeFileSync(script, SERVER);
  const running = await startAgent(program, dir, stage, [
    {
      id: 'seen',
      origin: 'config',
      transport: 'stdio',
      command: process.execPath,
      args: [script, envFile],
      env: {},
      url: null,
      headers: {},
      allowedTools: null,
      disallowedTools: [],
    },
  ]);
  await endTurn(running);
  const ofShell = readFileSync(join(running.request.cwd, 'env.txt'), 'utf8');
  assert.equal(ofShell.includes(MODEL_KEY), program.showsKey, 'the key and a command');
  const ofServer = existsSync(envFile) ? readFileSync(envFile, 'utf8') : null;
  if (ofServer !== null) assert.equal(ofServer.includes(MODEL_KEY), false, 'the key and a server');
  const secret = /_PASSWORD=/.test(ofShell);
  assert.equal(secret, false, 'the password of its server and a command');
  const filesWithKey = filesIn(join(stage.dir, 'job', '_sessions')).filter((file) =>
    readFileSync(file).includes(MODEL_KEY),
  );
  assert.deepEqual(filesWithKey, [], 'the key is left in a file of the session');
  return { 'its tool server ran': ofServer === null ? 'no' : 'yes' };
}

/** A session asks no registry, installs nothing, and leaves next to nothing on the disk. */
export async function leavesNothing(program: AgentProgram, dir: string): Promise<Figures> {
  await using stage = await openStage({
    work: [{ calls: [{ shell: 'true' }] }, { say: 'Done.' }],
  });
  await endTurn(await startAgent(program, dir, stage));
  const job = join(stage.dir, 'job');
  const leftovers = filesIn(job);
  const registry = stage.proxy.attempts.filter((host) => /registry|npmjs/.test(host));
  assert.deepEqual(registry, [], 'it asked a registry');
  assert.deepEqual(
    leftovers.filter((file) => /\.so$|node_modules\/.*\/|\/_cacache\//.test(file)),
    [],
    'it has installed or unpacked something',
  );
  const bytes = (files: readonly string[]) =>
    Math.round(files.reduce((sum, file) => sum + statSync(file).size, 0) / BYTES_A_KB);
  return {
    'left in the session KB': bytes(filesIn(join(job, '_sessions'))),
    'left in the home KB': bytes(filesIn(join(job, 'home'))),
    'left in tmp KB': bytes(filesIn(join(job, 'tmp'))),
    'reached out': stage.proxy.attempts.join(' ') || 'no',
  };
}

/** What the repository says to agents reaches the model, once. */
export async function readsAgentsFile(program: AgentProgram, dir: string): Promise<Figures> {
  await using stage = await openStage({ work: [{ say: 'Done.' }] });
  const running = program.open(dir, stage.model.url);
  const { provider, model } = program;
  const checkout = join(stage.dir, 'job', 'checkout');
  mkdirSync(checkout, { recursive: true });
  writeFileSync(join(checkout, 'AGENTS.md'), 'AGENTS-MARK: run `make check`.\n');
  const turn = await stage.run(running, provider, {
    llm: { provider, model, reasoningEffort: null },
  });
  await endTurn(turn);
  // The first request of some is for a title.
  const requestText = JSON.stringify(stage.model.requests.played.at(-1)?.body ?? {});
  assert.equal(requestText.split('AGENTS-MARK').length - 1, 1, 'AGENTS.md in the request');
  return {};
}

/**
 * What we say is in the first request, and no instruction of the program's own forbids a commit or
 * asks for an answer of a few lines.
 */
export async function followsOurText(program: AgentProgram, dir: string): Promise<Figures> {
  await using stage = await openStage({ work: [{ say: 'Done.' }] });
  const running = await startAgent(program, dir, stage);
  await endTurn(running);
  const requestText = JSON.stringify(stage.model.requests.played[0]?.body ?? {});
  assert.equal(requestText.split('SYSTEM-MARK').length - 1, 1, 'our prompt in the first request');
  // Descriptions of its own tools are the program's, whatever they say about commits.
  const [instructions = ''] = requestText.split('"tools":');
  assert.doesNotMatch(instructions, /never commit|fewer than 4 lines/i);
  return { 'characters of the first request': requestText.length };
}

/** Every request to the model is one of the conversation, and what it answers is in the log alone. */
export async function asksNothingElse(program: AgentProgram, dir: string): Promise<Figures> {
  await using stage = await openStage({
    work: [{ say: 'I begin.', calls: [{ shell: 'true' }] }, { say: 'All done.' }],
  });
  const running = await startAgent(program, dir, stage);
  await endTurn(running);
  const aside = stage.model.requests.all.filter(
    ({ script, reported }) => script === null && reported !== null,
  );
  assert.equal(aside.length, 0, 'requests beside the conversation');
  const texts = running.events.flatMap((event) => (event.type === 'token' ? [event.text] : []));
  assert.equal(texts.join('').replace(/\s+/g, ' ').trim(), 'I begin.All done.');
  return {};
}
