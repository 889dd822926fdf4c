import type { Executor, SessionRequest } from '../../contract/session/executor.ts';
import type { SessionRef } from '../../contract/session/sessionRef.ts';
import { SANDBOX_TEXT } from '../../base/agents/sandboxProfiles.ts';
import { listSessionHosts } from '../../executors/sandbox/listSessionHosts.ts';
import type { OpenedSandbox } from '../../executors/sandbox/sandboxes.ts';
import { SvcError } from '../../base/errors/errors.ts';
import type { Job } from '../../contract/schema/job/job.ts';
import type { OpenSessionDeps } from './openSessionDeps.ts';

interface SandboxedSession {
  ref: SessionRef;
  job: Job;
  /** Folders that its checkout shares with others. */
  caches: readonly string[];
  /** The layer of its agent; null = none. */
  layer: string | null;
  executor: Executor;
  request: SessionRequest;
}

/**
 * The sandbox of a session, with a log line that says what confines it; null = a required one is
 * not available, so the session must not run. The line then says why.
 */
export async function openSandbox(
  deps: OpenSessionDeps,
  { ref, job, caches, layer, executor, request }: SandboxedSession,
): Promise<OpenedSandbox | null> {
  const { settings, workplace } = deps;
  const { llm, command, mcpServers, sessionDir, tools } = request;
  const billing = executor.billing?.({ llm, command }) ?? null;
  const toSandboxLine = (line: string) => ({ from: 'runner' as const, tag: 'sandbox', line });
  const needs = {
    settings: settings.runner,
    unattended: job.params.unattended !== undefined,
    executor: executor.id,
    places: {
      home: settings.home,
      workingDir: settings.paths.workingDir,
      jobDir: workplace.jobDir(job.id),
      shared: job.parentJobId === null ? [] : [workplace.contractsDir(job.parentJobId)],
      caches,
    },
    layer,
    hosts: listSessionHosts(llm.provider, billing, mcpServers),
    toolUrl: tools.url,
    sessionDir,
  };
  const openedSandbox = await deps.sandboxes.open(needs).catch(async (error: unknown) => {
    if (!(error instanceof SvcError)) throw error;
    await deps.log(ref, [toSandboxLine(error.message)]);
    return null;
  });
  if (openedSandbox === null) return null;
  const { state, reason } = openedSandbox;
  if (openedSandbox.wanted) {
    const { jobId: job_id, visit, session } = ref;
    const row = { job_id, visit, session, state, reason };
    await deps.writeRows([{ op: 'put', table: 'session_sandboxes', row }]);
    await deps.log(ref, [toSandboxLine(`${state}: ${reason ?? SANDBOX_TEXT[state]}`)]);
  }
  return {
    ...openedSandbox,
    async close() {
      const refusedHosts = await openedSandbox.close();
      if (refusedHosts.length > 0)
        await deps.log(
          ref,
          refusedHosts.map((line) => toSandboxLine(`refused: ${line}`)),
        );
      return refusedHosts;
    },
  };
}
