import { requirePatch, allowBody, requireBody, type SomeRoutes } from './route.ts';
import { ConfigPatch, ConfigReply, ConfigSchemaReply } from '../schema/runner/config.ts';
import { EmptyBody } from '../schema/api/bodies.ts';
import { SetUpAnswer, SetUpReply, SetUpView } from '../schema/runner/setUpSteps.ts';
import { McpServerList } from '../schema/session/mcpServer.ts';
import { TrustBody, TrustList, TrustView } from '../schema/workflow/trust.ts';

const setUpRefusals = [
  'bad-argument',
  'invalid',
  'config-invalid',
  'precondition-failed',
  'store-failed',
] as const;

export const settingRoutes = {
  // The configuration file. Secrets go in and never come out.
  config: {
    access: 'read',
    team: null,
    summary:
      'The configuration, with secrets shown as ********, and the origin of each value. ETag is the version of the file.',
    reply: ConfigReply,
    refusals: ['config-invalid'],
  },
  configSchema: {
    access: 'read',
    team: null,
    summary: 'What the configuration may hold, as JSON Schema, and which keys need no restart.',
    reply: ConfigSchemaReply,
    refusals: [],
  },
  updateConfig: {
    access: 'write',
    team: null,
    summary:
      'Changes the configuration with a merge patch (RFC 7396). ******** keeps a secret. If-Match limits the change to that version of the file.',
    body: requirePatch(ConfigPatch),
    reply: ConfigReply,
    refusals: ['precondition-failed', 'config-invalid', 'store-failed'],
  },
  // The setup wizard: what is found on this machine, and one answer at a time.
  setUp: {
    // It starts programs to ask for their versions.
    access: 'write',
    team: null,
    summary:
      'The steps of the setup wizard: what was found on this machine, what is saved, the choices and what each would write.',
    reply: SetUpView,
    refusals: ['config-invalid'],
  },
  completeSetUp: {
    access: 'write',
    team: null,
    summary: 'Ends the setup wizard; steps that are still open count as skipped.',
    body: allowBody(EmptyBody),
    reply: SetUpReply,
    refusals: setUpRefusals,
  },
  skipSetUpStep: {
    access: 'write',
    team: null,
    summary: 'Leaves a step of the setup wizard for later; what it has saved stays.',
    body: allowBody(EmptyBody),
    reply: SetUpReply,
    refusals: setUpRefusals,
  },
  answerSetUpStep: {
    access: 'write',
    team: null,
    summary:
      'Answers a step of the setup wizard and writes the answer at once. Secrets are never shown again.',
    body: requireBody(SetUpAnswer),
    reply: SetUpReply,
    refusals: setUpRefusals,
  },
  // What repositories may run, and the tool servers of jobs. No reply holds a command of a server that is not of a
  // repository.
  trust: {
    access: 'read',
    team: null,
    summary:
      'Repositories, what each of them would run, and whether a person has allowed exactly that.',
    reply: TrustList,
    refusals: ['config-invalid'],
  },
  addTrust: {
    access: 'write',
    team: null,
    summary: 'Allows what a repository would run, as shown by GET /trust: send its `hash`.',
    body: requireBody(TrustBody),
    reply: TrustView,
    refusals: [
      'not-found',
      'conflict',
      'not-possible-now',
      'invalid',
      'config-invalid',
      'store-failed',
    ],
  },
  removeTrust: {
    access: 'write',
    team: null,
    summary: 'Revokes the trust in a repository. Running sessions continue.',
    refusals: ['not-found', 'config-invalid', 'store-failed'],
  },
  mcpServers: {
    access: 'read',
    team: null,
    summary:
      'External tool servers of the current phase: who declared them and which tools they offer.',
    reply: McpServerList,
    refusals: ['not-found', 'invalid', 'config-invalid'],
  },
  inheritedMcps: {
    access: 'read',
    team: null,
    summary:
      "Tool servers from the agent host's own file, which inheritClaudeCodeMcps adds to every job.",
    reply: McpServerList,
    refusals: [],
  },
} satisfies SomeRoutes;
