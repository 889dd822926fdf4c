import { McpServerList } from '../../../contract/schema/session/mcpServer.ts';
import { TrustBody, TrustList, TrustView } from '../../../contract/schema/workflow/trust.ts';
import { defineJsonRoute } from '../route.ts';

/**
 * What repositories may run, and the tool servers that jobs have. No reply holds a command of a
 * server that is not a repository's.
 */
export const trustRoutes = [
  defineJsonRoute({
    name: 'trust',
    access: 'read',
    method: 'GET',
    path: '/trust',
    summary:
      'Repositories, what each of them would run, and whether a person has allowed exactly that.',
    reply: TrustList,
    refusals: ['config-invalid'],
    handle: (_call, { trust }) => trust.list(),
  }),
  defineJsonRoute({
    name: 'addTrust',
    access: 'write',
    method: 'POST',
    path: '/trust',
    summary: 'Allows what a repository would run, as shown by GET /trust: send its `hash`.',
    body: TrustBody,
    reply: TrustView,
    refusals: [
      'not-found',
      'conflict',
      'not-possible-now',
      'invalid',
      'config-invalid',
      'store-failed',
    ],
    handle: ({ body }, { trust }) => trust.add(body),
  }),
  defineJsonRoute({
    name: 'removeTrust',
    access: 'write',
    method: 'DELETE',
    path: '/trust/:slug',
    summary: 'Revokes the trust in a repository. Running sessions continue.',
    reply: null,
    refusals: ['not-found', 'config-invalid', 'store-failed'],
    handle: ({ params }, { trust }) => trust.remove(params.slug),
  }),
  defineJsonRoute({
    name: 'mcpServers',
    access: 'read',
    method: 'GET',
    path: '/jobs/:jobId/mcp-servers',
    summary:
      'External tool servers of the current phase: who declared them and which tools they offer.',
    reply: McpServerList,
    refusals: ['not-found', 'invalid', 'config-invalid'],
    handle: ({ params }, { runner }) => runner.mcpServers(params.jobId),
  }),
  defineJsonRoute({
    name: 'inheritedMcps',
    access: 'read',
    method: 'GET',
    path: '/config/inherited-mcps',
    summary:
      "Tool servers from the agent host's own file, which inheritClaudeCodeMcps adds to every job.",
    reply: McpServerList,
    refusals: [],
    handle: (_call, { runner }) => runner.inheritedMcps(),
  }),
];
