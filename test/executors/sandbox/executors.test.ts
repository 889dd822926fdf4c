import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { SessionSandbox } from '../../../src/contract/session/sandbox.ts';
import { buildAcpServers } from '../../../src/executors/acp/buildAcpServers.ts';
import { runToolProgram } from '../../../src/executors/builtin/tools/runToolProgram.ts';
import { buildQueryOptions } from '../../../src/executors/claude/buildQueryOptions.ts';
import { readTurnLimits } from '../../../src/executors/process/turnWatch.ts';
import { systemClock } from '../../../src/base/time/clock.ts';
import { prepare } from '../../support/agents/sessionRequest.ts';

const test = suite('sandbox: executors');

/** Marks what went through it. */
const marking = (bridge: boolean): SessionSandbox => ({
  profile: bridge ? 'runtime' : 'bubblewrap',
  bridge,
  wrap: ({ program, args }) => ({ program: 'env', args: ['CONFINED=yes', program, ...args] }),
});

test('agents of the protocol get the bridge as a program, without the token', async () => {
  await using it = await prepare(null, { sandbox: marking(true) });
  const { servers } = buildAcpServers(
    it.request,
    {},
    { narrows: true, readsServers: false, env: {}, secrets: [] },
  );
  const { PATH = '' } = it.request.env;
  assert.equal(servers, [
    {
      name: 'svc',
      command: 'svc',
      args: ['mcp-bridge', it.request.sessionDir],
      env: [{ name: 'PATH', value: PATH }],
    },
  ]);
});

test('where the network is open they get the address', async () => {
  await using it = await prepare(null, { sandbox: marking(false) });
  const { servers } = buildAcpServers(
    it.request,
    { http: true },
    { narrows: true, readsServers: false, env: {}, secrets: [] },
  );
  assert.match(JSON.stringify(servers), it.request.tools.url);
});

test('Claude Code gets the bridge as a program, without the token', async () => {
  await using it = await prepare(null, { sandbox: marking(true) });
  const settings = {
    apiKey: 'k',
    oauthToken: null,
    loginDir: null,
    baseUrl: null,
    model: null,
    sdkDir: null,
    ...readTurnLimits({}),
  };
  const never = () => {
    throw new Error('nothing is started');
  };
  const { mcpServers } = await buildQueryOptions(it.request, settings, null, never, null);
  assert.equal(mcpServers, {
    svc: {
      type: 'stdio',
      command: 'svc',
      args: ['mcp-bridge', it.request.sessionDir],
      env: {},
      alwaysLoad: true,
    },
  });
});

test('a command of the built-in agent is wrapped', async () => {
  await using it = await prepare(null);
  const { output } = await runToolProgram(
    { clock: systemClock, env: it.request.env, marker: it.request.marker, sandbox: marking(false) },
    {
      program: 'sh',
      args: ['-c', 'echo $CONFINED'],
      cwd: it.dir,
      timeoutMs: 10_000,
      signal: new AbortController().signal,
    },
  );
  assert.is(output.trim(), 'yes');
});

test.run();
