import { join, resolve } from 'node:path';
import type { Client } from '../../../src/api/client/client.ts';
import type { Config } from '../../../src/host/config/configSchema.ts';
import { toCheckoutDir } from '../../../src/git/checkout.ts';
import { SvcError, toErrorMessage } from '../../../src/base/errors/errors.ts';
import type { Job } from '../../../src/contract/schema/job/job.ts';
import { deriveOutcome } from '../../deriveOutcome.ts';
import { toPrintableLine } from '../../render/text/toPrintable.ts';
import { takeBundle } from './bundle/takeBundle.ts';
import { refuseBundle, type BundleManifest } from './bundle/manifest.ts';
import { readBundleManifest, unpackBundle } from './bundle/unpackBundle.ts';
import { openSealedBundle, readBundleKey, type ReadableBundle } from './bundle/sealBundle.ts';
import { followRun, type FollowedJob, type RunView } from './followRun.ts';
import { resolveRunRepository, type RunRepository } from './resolveRunRepository.ts';
import { listRunSites } from './buildRunConfig.ts';
import { runOnce, type RunReply, type RunContext } from './runOnce.ts';
import { makeTemporaryHome } from './makeTemporaryHome.ts';
import { stripFolderPath } from '../../../src/base/text/folderPaths.ts';
import { lstat, rm } from 'node:fs/promises';
import { clearCarriedState } from '../../../src/jobs/store/clearCarriedState.ts';
import { rebuildCheckout } from '../../../src/git/rebuildCheckout.ts';
import { summarizeLeftFiles } from './bundle/decideEntries.ts';

const PARTS = 'bundle-parts';

interface CheckoutOrigin {
  /** Repository that can be read now; null = it is elsewhere. */
  source: string | null;
  /** Address of `origin`; null = none. */
  origin: string | null;
}

/**
 * Makes the home of a kept job from its bundle, for a runner to start on: takes data and what svc
 * wrote, makes the repositories of checkouts again, and clears state that no run writes.
 * `readOrigin`: repository of the checkout with this folder name. Returns one line about what was not
 * taken; null = everything was. Throws SvcError `bad-argument` for an unusable bundle.
 */
export async function openBundle(
  dir: string,
  manifest: BundleManifest,
  home: string,
  readOrigin: (name: string) => CheckoutOrigin,
): Promise<string | null> {
  const { checkouts, left } = await unpackBundle(dir, manifest, home, join(home, PARTS));
  for (const { path, parts, left: missing } of checkouts) {
    const name = stripFolderPath(path);
    await rebuildCheckout({
      parts,
      checkoutDir: join(home, path),
      missing,
      ...readOrigin(name),
    }).catch((error: unknown) => refuseBundle(dir, `${path}: ${toErrorMessage(error)}`));
  }
  await rm(join(home, PARTS), { recursive: true, force: true });
  // A link that leads out but is part of the commit came from there.
  const lacking: string[] = [];
  for (const path of left) if (!(await isPathTaken(join(home, path)))) lacking.push(path);
  const removedFiles = clearState(dir, join(home, 'state.db'));
  const notes = [...(lacking.length > 0 ? [summarizeLeftFiles(lacking)] : []), ...removedFiles];
  return notes.length === 0 ? null : notes.join('; ');
}

const isPathTaken = async (path: string): Promise<boolean> =>
  (await lstat(path).catch(() => null)) !== null;

function clearState(dir: string, file: string): string[] {
  try {
    return clearCarriedState(file);
  } catch (error) {
    return refuseBundle(dir, toErrorMessage(error));
  }
}

export interface ResumedRun {
  resume: string;
  /** null = not given: that of the bundle, in the present folder where it is a local one. */
  repo: string | null;
  /** null = the bundle is replaced. */
  keep: string | null;
  /** Team layer; null = that of the configuration. */
  layer: string | null;
  approve: readonly string[];
  /** For the agent; continues a job that waits for a person. */
  message: string | null;
}

/** Longest wait for the forges' first answers, ms. */
const NEWS_MS = 60_000;
const LOOK_EVERY_MS = 100;

async function resolveBundleRepository(
  { repository }: BundleManifest,
  { repo }: ResumedRun,
  { io, cwd, given }: RunContext,
): Promise<RunRepository> {
  const { slug, forge, isLocal, identity } = repository;
  if (repo === null && !isLocal) return { slug, forge, path: null, identity };
  const runRepository = await resolveRunRepository(repo ?? '.', {
    cwd,
    homeDir: io.homeDir,
    forge,
    sites: listRunSites(given, io.env),
    slug,
  });
  const isElsewhere =
    runRepository.forge !== null && forge !== null && runRepository.forge !== forge;
  if (runRepository.identity === identity && !isElsewhere) return runRepository;
  throw new SvcError(
    'bad-argument',
    `The bundle is of another repository: its job is for ${toPrintableLine(`${slug} (${identity})`)}, and --repo is ${toPrintableLine(`${runRepository.slug} (${runRepository.identity})`)}.`,
  );
}

function findCheckoutOrigin(
  name: string,
  { slug, forge, path }: RunRepository,
  config: Record<string, unknown>,
  home: string,
): CheckoutOrigin {
  const { forges }: Partial<Config> = config;
  for (const [other, entry] of Object.entries(forges?.local?.repos ?? {})) {
    const source = typeof entry === 'string' ? entry : entry.path;
    if (toCheckoutDir(other) === name) return { source, origin: source };
  }
  if (toCheckoutDir(slug) !== name) return { source: null, origin: null };
  if (path !== null) return { source: path, origin: path };
  // The mirror, which the next phase makes.
  const mirror = forge === null ? null : join(home, 'mirrors', forge, `${slug.toLowerCase()}.git`);
  return { source: null, origin: mirror };
}

const isWaiting = ({ parked }: Job): boolean => parked?.kind === 'event';

/** Waits until each forge of the job's pull requests was asked for news, or the job continues. */
async function awaitForgeNews({ client, io, stop }: RunView, jobId: string): Promise<Job> {
  const until = io.now() + NEWS_MS;
  for (;;) {
    const job = await client.job(jobId);
    if (!isWaiting(job) || stop.aborted || io.now() > until) return job;
    const own = new Set(job.prMappings.map(({ forge }) => forge));
    const forges = (await client.forges()).filter(({ id, remote }) => remote && own.has(id));
    // Asked again: the last poll may have moved it.
    if (forges.every(({ polls }) => polls > 0)) return client.job(jobId);
    await new Promise<void>((wake) => io.after(LOOK_EVERY_MS, wake));
  }
}

async function sendGivenAnswers(client: Client, job: Job, request: ResumedRun): Promise<void> {
  const { approve, message } = request;
  const { approval, phase } = job;
  if (approval !== null && (approve.includes('all') || approve.includes(phase)))
    await client.resume(job.id, { eventKey: 'approve', shown: approval.shown });
  if (message !== null) await client.message(job.id, { message });
}

const isAnswered = ({ approve, message }: ResumedRun, { approval, phase }: Job): boolean =>
  message !== null || (approval !== null && (approve.includes('all') || approve.includes(phase)));

async function continueJob(
  runView: RunView,
  manifest: BundleManifest,
  request: ResumedRun,
): Promise<FollowedJob> {
  const { id, frame } = manifest.job;
  runView.show(`job ${id} continues, workflow ${toPrintableLine(manifest.job.workflowPath)}\n`);
  const job = await awaitForgeNews(runView, id);
  if (isAnswered(request, job)) await sendGivenAnswers(runView.client, job, request);
  else if (!job.ended && deriveOutcome(job) === 'waiting') {
    runView.show('The event that it waits for has not happened yet.\n');
    return { outcome: 'waiting', job };
  }
  return followRun(runView, id, frame);
}

/**
 * Continues the job of a bundle: same id, same visit. Polls the forges for what it waits for at
 * once. A job that had ended is not run again: its exit code is returned once more.
 */
export async function resumeRun(context: RunContext, request: ResumedRun): Promise<RunReply> {
  const { io, cwd } = context;
  const dir = resolve(cwd, request.resume);
  const giveBack = await takeBundle(dir);
  let bundle: ReadableBundle | null = null;
  try {
    bundle = await openSealedBundle(dir, readBundleKey(io.env));
    const manifest = await readBundleManifest(bundle.dir);
    const { id, status, ended } = manifest.job;
    if (ended !== null) {
      io.err(`The job ${id} has ended before: ${toPrintableLine(status)}. Nothing was done.\n`);
      const outcome = ended === 0 ? 'complete' : ended === 9 ? 'incomplete' : 'failed';
      return { jobId: id, status, outcome, exitCode: ended, kept: null, job: null };
    }
    if (manifest.job.hasLayer && request.layer === null)
      throw new SvcError(
        'bad-argument',
        `The job began with a file as --workflow (${toPrintableLine(manifest.job.workflowPath)}), whose folder is its team layer. Give the same --workflow again.`,
      );
    const repository = await resolveBundleRepository(manifest, request, context);
    const home = await makeTemporaryHome();
    try {
      const openedBundle = await openBundle(bundle.dir, manifest, home.dir, (name) =>
        findCheckoutOrigin(name, repository, context.given, home.dir),
      );
      if (openedBundle !== null)
        io.err(
          `Not taken from the bundle: ${toPrintableLine(openedBundle)}. Programs and settings in a bundle are never used.\n`,
        );
    } catch (error) {
      home.remove();
      throw error;
    }
    const keep = request.keep ?? dir;
    return await runOnce(
      context,
      { home, repository, layer: request.layer, keep, keepsEnd: true },
      (runView) => continueJob(runView, manifest, request),
    );
  } finally {
    await bundle?.remove();
    await giveBack();
  }
}
