import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  resolvePhaseRules,
  formatServersLine,
} from '../../../src/jobs/workspace/resolvePhaseRules.ts';
import { mergeLayers } from '../../../src/workflows/overlay/mergeLayers.ts';
import { openOverlay } from '../../../src/workflows/overlay/openOverlay.ts';
import type { McpServer } from '../../../src/contract/schema/session/mcpServer.ts';
import type { OwnProviders } from '../../../src/executors/tools/catalogue/toolPatterns.ts';
import { createPhase } from '../../support/http/fakeAgentJob.ts';

const server = (id: string, allowedTools: string[] | null = null): McpServer => ({
  id,
  origin: 'config',
  transport: 'http',
  command: null,
  args: [],
  env: {},
  url: 'https://x.example',
  headers: {},
  allowedTools,
  disallowedTools: [],
});

/** The rules of a phase whose agent has the front matter. */
const LOCAL: OwnProviders = { forge: 'local', tracker: null };

const resolveRules = (
  agentFrontMatter: string,
  tools: string[] | null,
  servers: McpServer[] = [],
  own = LOCAL,
) => {
  const files = new Map([
    ['agents/coding.md', new TextEncoder().encode(`---\n${agentFrontMatter}\n---\nCode.\n`)],
  ]);
  const overlay = openOverlay(
    mergeLayers([{ name: 'base', origin: 'test', root: '/base', files }]),
  );
  const phase = { ...createPhase('coding'), ...(tools ? { tools } : {}) };
  const rules = resolvePhaseRules({ overlay, mcp: { servers, notes: [] } }, phase, own);
  return {
    tools: rules.tools,
    builtIn: rules.builtInTools,
    servers: rules.mcpServers.map(({ id, allowedTools }) => [id, allowedTools]),
  };
};

const test = suite('what a phase may use');

test('without a list anywhere an agent has everything', () => {
  assert.equal(resolveRules('name: x', null, [server('docs')]), {
    tools: null,
    builtIn: null,
    servers: [['docs', null]],
  });
});

test('a list narrows built-in tools and servers, and a server keeps its own list too (TOOL-10)', () => {
  const tools = ['read', 'grep', 'log', 'mcp__docs', 'mcp__gh__search', 'mcp__gh__merge'];
  assert.equal(
    resolveRules('name: x', tools, [
      server('docs'),
      server('gh', ['search', 'list']),
      server('other'),
    ]),
    {
      tools,
      builtIn: ['read', 'grep'],
      servers: [
        ['docs', null],
        ['gh', ['search']],
      ],
    },
  );
  assert.equal(resolveRules('name: x', ['mcp__gh__merge'], [server('gh', ['search'])]).servers, []);
});

test('a phase cannot give an agent what the agent does not allow, nor the reverse', () => {
  assert.equal(resolveRules('tools: [read, shell]', ['read', 'write']).builtIn, ['read']);
  assert.equal(resolveRules('tools: [read]', null).builtIn, ['read']);
});

test('scm_<verb> and tracker_<verb> are verbs of the providers of the job, whichever those are (TOOL-10)', () => {
  const tools = ['read', 'scm_create_pr', 'scm_clone_repo', 'tracker_get_issue'];
  const of = (forge: string | null, tracker: string | null) =>
    resolveRules('name: x', tools, [], { forge, tracker }).tools;
  assert.equal(of('github', 'github-issues'), [
    'read',
    'github_create_pr',
    'scm_clone_repo',
    'tracker_get_issue',
    'github_issues_get_issue',
  ]);
  assert.equal(of('local', null), ['read', 'local_create_pr', 'scm_clone_repo']);
  assert.equal(of(null, null), ['read', 'scm_clone_repo']);
});

test('an agent and a phase may write the same tool by pattern and by name', () => {
  assert.equal(resolveRules('tools: [scm_create_pr]', ['local_create_pr', 'read']).tools, [
    'local_create_pr',
  ]);
  assert.equal(resolveRules('tools: [local_create_pr]', ['scm_create_pr', 'read']).tools, [
    'local_create_pr',
  ]);
});

test('scm_merge_pr lets a phase merge at the forge of the job and at no other, and an agent alone cannot list it', () => {
  assert.equal(resolveRules('name: x', ['scm_merge_pr']).tools, ['scm_merge_pr', 'local_merge_pr']);
  assert.equal(resolveRules('tools: [scm_merge_pr, log]', null).tools, ['log']);
});

test('mcp__* is every tool of every external server, and the agent or the server may allow less', () => {
  const servers = [server('docs'), server('gh', ['search', 'list'])];
  assert.equal(resolveRules('name: x', ['mcp__*'], servers).servers, [
    ['docs', null],
    ['gh', ['search', 'list']],
  ]);
  assert.equal(resolveRules('tools: [mcp__docs, mcp__gh__list]', ['mcp__*'], servers).servers, [
    ['docs', null],
    ['gh', ['list']],
  ]);
  assert.equal(resolveRules('tools: [mcp__*]', ['mcp__gh__search'], servers).servers, [
    ['gh', ['search']],
  ]);
  assert.equal(resolveRules('name: x', ['read'], servers).servers, []);
});

test('the line of the log names servers and where they come from, and nothing else of them', () => {
  assert.is(formatServersLine([]), null);
  assert.is(formatServersLine([server('docs')]), '1 server: docs (config, http)');
  assert.is(
    formatServersLine([server('a'), server('b')]),
    '2 servers: a (config, http), b (config, http)',
  );
});

test.run();
