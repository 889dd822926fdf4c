import { resolve } from 'node:path';
import { toPrintableLine } from '../../render/text/toPrintable.ts';
import { checkKeepPlace } from './bundle/takeBundle.ts';
import { checkApprovals, followRun, makeJob } from './followRun.ts';
import { resolveRunRepository } from './resolveRunRepository.ts';
import { listRunSites } from './buildRunConfig.ts';
import { type RunReply, type RunContext, runOnce } from './runOnce.ts';
import { makeTemporaryHome } from './makeTemporaryHome.ts';
import { resolveWorkflowChoice } from './resolveWorkflowChoice.ts';

export interface NewRun {
  workflow: string;
  repo: string;
  forge: string | null;
  keep: string | null;
  /** Without the repository. */
  params: Record<string, unknown>;
}

/**
 * Runs one job from its request until it ends or waits. What cannot run is refused before the job
 * is made.
 */
export async function startRun(context: RunContext, request: NewRun): Promise<RunReply> {
  const { io, cwd, given } = context;
  const { homeDir, env } = io;
  const { forge, keep, params } = request;
  const { path: workflowPath, layer } = await resolveWorkflowChoice(request.workflow, {
    cwd,
    homeDir,
  });
  const sites = listRunSites(given, env);
  const place = { cwd, homeDir, forge, sites, slug: null };
  const repository = await resolveRunRepository(request.repo, place);
  if (keep !== null) await checkKeepPlace(resolve(cwd, keep));
  const requestBody = {
    type: 'job',
    workflowPath,
    params: {
      ...params,
      repoSlug: repository.slug,
      ...(repository.forge === null ? {} : { gitProvider: repository.forge }),
    },
  };
  const home = await makeTemporaryHome();
  return runOnce(context, { home, repository, layer, keep, keepsEnd: false }, async (runView) => {
    await checkApprovals(runView.client, requestBody);
    const jobId = await makeJob(runView.client, requestBody, io);
    runView.show(
      `job ${jobId}, workflow ${toPrintableLine(workflowPath)}, repository ${toPrintableLine(repository.slug)}\n`,
    );
    return followRun(runView, jobId, 0);
  });
}
