import { resolve } from 'node:path';
import { printableLine } from '../render/printable.ts';
import { checkKeepPlace } from './bundle/keepPlace.ts';
import { checkApprovals, followRun, makeJob } from './playRun.ts';
import { repositoryOf } from './repository.ts';
import { sitesOf } from './runConfig.ts';
import { type Ran, type RunContext, runOnce } from './runOnce.ts';
import { temporaryHome } from './temporaryHome.ts';
import { workflowChoice } from './workflowChoice.ts';

/** A job that a run begins, by its flags. */
export interface NewRun {
  workflow: string;
  repo: string;
  forge: string | null;
  keep: string | null;
  /** Without the repository. */
  params: Record<string, unknown>;
}

/**
 * Runs one job from its request to its end, or to where it waits. What cannot run is refused before
 * the job is made.
 */
export async function newRun(context: RunContext, request: NewRun): Promise<Ran> {
  const { io, cwd, given } = context;
  const { homeDir, env } = io;
  const { forge, keep, params } = request;
  const { path: workflowPath, layer } = await workflowChoice(request.workflow, { cwd, homeDir });
  const sites = sitesOf(given, env);
  const place = { cwd, homeDir, forge, sites, slug: null };
  const repository = await repositoryOf(request.repo, place);
  if (keep !== null) await checkKeepPlace(resolve(cwd, keep));
  const asked = {
    type: 'job',
    workflowPath,
    params: {
      ...params,
      repoSlug: repository.slug,
      ...(repository.forge === null ? {} : { gitProvider: repository.forge }),
    },
  };
  const home = await temporaryHome();
  return runOnce(context, { home, repository, layer, keep, keepsEnd: false }, async (shown) => {
    await checkApprovals(shown.client, asked);
    const jobId = await makeJob(shown.client, asked, io);
    shown.show(
      `job ${jobId}, workflow ${printableLine(workflowPath)}, repository ${printableLine(repository.slug)}\n`,
    );
    return followRun(shown, jobId, 0);
  });
}
