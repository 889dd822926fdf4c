import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { systemClock } from '../../../src/base/time/clock.ts';
import { toFields } from '../../../src/base/json/untrusted.ts';
import type { SessionRequest } from '../../../src/contract/session/executor.ts';
import { createClaudeExecutor } from '../../../src/executors/claude/createClaudeExecutor.ts';
import { ProgramLines } from '../../../src/executors/claude/programLines.ts';
import { prepare } from '../../support/agents/sessionRequest.ts';
import { catchRefusal } from '../../support/refusal.ts';
import { writeFakeClaudeProgram } from '../../support/agents/fakeClaudeProgram.ts';

const test = suite<{ dir: string }>('an installed claude, driven without the SDK');

const KEY = 'canary-model-key';
const LOGIN_TOKEN = 'sk-ant-oat01-canary-login';

test.before.each(async (context) => {
  context.dir = await mkdtemp(join(tmpdir(), 'svc-claude-'));
});
test.after.each(({ dir }) => rm(dir, { recursive: true, force: true }));

async function open(dir: string, config: object, more: Partial<SessionRequest> = {}) {
  const program = await writeFakeClaudeProgram(dir);
  const prepared = await prepare(null, {
    llm: { provider: 'claude', model: 'sonnet', reasoningEffort: null },
    ...more,
  });
  await mkdir(prepared.request.overlayDir);
  const executor = createClaudeExecutor({
    clock: systemClock,
    config: { claudePath: program.path, ...config },
    graceMs: 100,
  });
  const session = await executor.run(prepared.request);
  const { steering } = session;
  if (!steering) throw new Error('it cannot be steered');
  return {
    program,
    prepared,
    session,
    steering,
    [Symbol.asyncDispose]: () => prepared[Symbol.asyncDispose](),
  };
}

test('a session runs from the first message to the closed input', async ({ dir }) => {
  await using one = await open(dir, { apiKey: KEY });
  one.steering.close();
  assert.equal(await one.session.result, { stopReason: 'end_turn', error: null, usage: null });
  assert.equal(one.prepared.lines('stdout'), ['Yes.']);
  const inputs = (await one.program.readSeen()).slice(1);
  assert.equal(
    inputs.map(({ type }) => type),
    ['control_request', 'user'],
  );
});

test('prompt, tool servers and keys are in no argument and no variable', async ({ dir }) => {
  await using one = await open(dir, { apiKey: KEY });
  one.steering.close();
  await one.session.result;
  const [start, initialize] = await one.program.readSeen();
  const text = JSON.stringify(start);
  for (const secret of [KEY, 'tool-token', 'You are careful.'])
    assert.is(text.includes(secret), false, secret);
  const { subtype, systemPrompt, mcpServers } = toFields(initialize?.request);
  assert.equal(
    { subtype, systemPrompt, servers: Object.keys(toFields(mcpServers)) },
    { subtype: 'initialize', systemPrompt: ['You are careful.'], servers: ['svc'] },
  );
});

test('a call that the rules refuse is denied before it runs, and one that they cannot judge too', async ({
  dir,
}) => {
  for (const [index, refuse] of [
    async () => 'No.',
    () => Promise.reject(new Error('broken')),
  ].entries()) {
    const place = join(dir, `${index}`);
    await mkdir(place);
    await using one = await open(place, { apiKey: KEY }, { kickoff: 'Call.', guard: refuse });
    one.steering.close();
    await one.session.result;
    const answer = (await one.program.readSeen()).find(({ type }) => type === 'control_response');
    const { hookSpecificOutput } = toFields(toFields(toFields(answer?.response)).response);
    assert.is(toFields(hookSpecificOutput).permissionDecision, 'deny');
  }
});

test('an interrupt is acknowledged and ends the turn', async ({ dir }) => {
  await using one = await open(dir, { apiKey: KEY }, { kickoff: 'Wait.' });
  await new Promise<void>((resolve) => {
    const poll = () =>
      one.prepared.events.some(({ type }) => type === 'session') ? resolve() : setImmediate(poll);
    poll();
  });
  assert.is(await one.steering.interrupt(5_000), true);
  one.steering.close();
  await one.session.result;
  assert.equal(
    one.prepared.events.flatMap((event) => (event.type === 'turn' ? [event.stopReason] : [])),
    ['interrupted'],
  );
});

test('a program that ends in its work died, and its exit code is kept', async ({ dir }) => {
  await using one = await open(dir, { apiKey: KEY }, { kickoff: 'Die.' });
  const { stopReason, exitCode } = await one.session.result;
  assert.equal({ stopReason, exitCode }, { stopReason: 'died', exitCode: 3 });
});

test('a login that the settings name is used where it is, and only where no key is set', async ({
  dir,
}) => {
  const loginDir = join(dir, 'person');
  await mkdir(loginDir);
  await writeFile(join(loginDir, '.credentials.json'), JSON.stringify({ token: LOGIN_TOKEN }));
  const places = [];
  for (const [index, config] of [{ loginDir }, { loginDir, apiKey: KEY }].entries()) {
    const place = join(dir, `${index}`);
    await mkdir(place);
    await using one = await open(place, config);
    one.steering.close();
    assert.is((await one.session.result).stopReason, 'end_turn');
    const [start] = await one.program.readSeen();
    const { CLAUDE_SECURESTORAGE_CONFIG_DIR: login, CLAUDE_CONFIG_DIR: own } = toFields(start?.env);
    assert.is(String(own).startsWith(one.prepared.dir), true, 'transcripts stay with the job');
    assert.is(JSON.stringify(start).includes(LOGIN_TOKEN), false);
    places.push(login);
  }
  assert.equal(places, [loginDir, undefined]);
});

test('a login that the program renews is renewed where the person has it', async ({ dir }) => {
  const loginDir = join(dir, 'person');
  const file = join(loginDir, '.credentials.json');
  await mkdir(loginDir);
  await writeFile(file, JSON.stringify({ token: LOGIN_TOKEN }));
  await using one = await open(dir, { loginDir }, { kickoff: 'Renew.' });
  one.steering.close();
  assert.is((await one.session.result).stopReason, 'end_turn');
  assert.is(await readFile(file, 'utf8'), '{"token":"renewed"}');
});

test('a login is paid by its plan, is an account of its own, and is refused in a sandbox', async ({
  dir,
}) => {
  const loginDir = join(dir, 'person');
  await mkdir(loginDir);
  await writeFile(join(loginDir, '.credentials.json'), '{}');
  const { path } = await writeFakeClaudeProgram(dir);
  const create = (config: object) =>
    createClaudeExecutor({ clock: systemClock, config: { claudePath: path, ...config } });
  const need = {
    llm: { provider: 'claude', model: null, reasoningEffort: null },
    command: null,
  };
  assert.is(create({ loginDir }).billing?.(need)?.paidBy, 'subscription');
  assert.is.not(
    create({ loginDir }).pool?.(need)?.account,
    create({ loginDir: dir }).pool?.(need)?.account,
  );
  await using prepared = await prepare(null, {
    sandbox: { bridge: null, profile: 'command', wrap: (start: unknown) => start } as never,
  });
  const session = await create({ loginDir }).run(prepared.request);
  assert.is((await session.result).stopReason, 'error');
});

test('what is missing is named: a program, a login, a current version', async ({ dir }) => {
  const { path } = await writeFakeClaudeProgram(dir);
  const need = { llm: { provider: 'claude', model: null, reasoningEffort: null }, command: null };
  const lack = (config: object) =>
    createClaudeExecutor({ clock: systemClock, config: config as never }).lacks?.(need) ?? null;
  assert.match(lack({ claudePath: join(dir, 'none'), apiKey: KEY }) ?? '', /neither Claude Code/);
  assert.match(lack({ claudePath: path, loginDir: dir }) ?? '', /no login of Claude Code is in/);
  assert.match(lack({ claudePath: path, loginDir: '.claude' }) ?? '', /not an absolute path/);
  assert.is(lack({ claudePath: path, apiKey: KEY }), null);
  const old = await writeFakeClaudeProgram(dir, '2.1.100');
  const executor = createClaudeExecutor({
    clock: systemClock,
    config: { claudePath: old.path, apiKey: KEY },
  });
  await using prepared = await prepare(null);
  const { code } = await catchRefusal(() => executor.run(prepared.request));
  assert.is(code, 'not-possible-now');
});

test('messages are read across chunks, and other lines are dropped', () => {
  const lines = new ProgramLines();
  const bytes = Buffer.from('{"type":"ä"}\nnoise\n[1]\n{"type":"b"}\n{"type":');
  const messages = [...bytes].flatMap((byte) => lines.push(Buffer.from([byte])));
  assert.equal(messages, [{ type: 'ä' }, { type: 'b' }]);
});

test.run();
