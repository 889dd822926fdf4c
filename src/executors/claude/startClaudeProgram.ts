import { AgentProcess } from '../process/agentProcess.ts';
import type { SessionOutput } from '../process/sessionOutput.ts';
import {
  buildClaudeSessionEnv,
  type ClaudeSessionOptions,
  pickSdkVariables,
} from './buildQueryOptions.ts';
import { INSTALL, type SpawnOptions } from './sdk.ts';

export function startClaudeProgram(
  { request, settings, clock }: ClaudeSessionOptions,
  output: SessionOutput,
  { command, args, env, signal }: SpawnOptions,
): AgentProcess {
  const agentProcess = new AgentProcess({
    request,
    program: command,
    args,
    hint: INSTALL,
    clock,
    output,
    env: { ...buildClaudeSessionEnv(request, settings), ...pickSdkVariables(env) },
    handed: settings.oauthToken,
  });
  signal?.addEventListener('abort', () => agentProcess.child.kill('SIGTERM'), { once: true });
  return agentProcess;
}
