import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { buildAcpServers } from '../../../src/executors/acp/buildAcpServers.ts';
import { buildClaudeRules } from '../../../src/executors/process/buildClaudeRules.ts';
import { toPlainIds } from '../../../src/executors/process/toPlainIds.ts';
import { prepare } from '../../support/agents/sessionRequest.ts';
import { createDeclaration } from '../../support/toolServers/stdioServer.ts';

const test = suite('plain ids of tool servers');

test('what programs refuse in an id is replaced, and no two servers share a name (TOOL-10)', () => {
  assert.equal(
    [...toPlainIds(['a.b', 'a_b', 'a.b_2', 'docs'])],
    [
      ['a.b', 'a_b_2'],
      ['a_b', 'a_b'],
      ['a.b_2', 'a_b_2_2'],
      ['docs', 'docs'],
    ],
  );
});

test('Claude Code may use the tools of a server whose id has a dot (TOOL-10)', () => {
  const rules = (overrides: Parameters<typeof createDeclaration>[0]) =>
    buildClaudeRules({
      builtInTools: [],
      mcpServers: [createDeclaration({ id: 'docs.v2', ...overrides })],
    });
  assert.equal(rules({}).allowedTools, ['mcp__svc', 'mcp__docs_v2']);
  assert.equal(rules({ allowedTools: ['find'] }).allowedTools, ['mcp__svc', 'mcp__docs_v2__find']);
  assert.equal(rules({ disallowedTools: ['drop'] }).disallowedTools, ['mcp__docs_v2__drop']);
});

test('agents of the protocol are given a name that they take, and the runner keeps the id (TOOL-10)', async () => {
  await using prepared = await prepare(null);
  const dotted = createDeclaration({ id: 'docs.v2', transport: 'http', url: 'http://docs' });
  const { servers, ids } = buildAcpServers(
    { ...prepared.request, mcpServers: [dotted] },
    { http: true },
    { narrows: false, readsServers: false, env: {}, secrets: [] },
  );
  assert.equal(
    servers.map(({ name }) => name),
    ['svc', 'docs_v2'],
  );
  assert.equal(ids, ['docs.v2']);
});

test.run();
