import { join, resolve } from 'node:path';
import type { Client } from '../../src/client/client.ts';
import type { Config } from '../../src/config/configSchema.ts';
import { checkoutDirOf } from '../../src/git/checkout.ts';
import { SvcError } from '../../src/lib/errors.ts';
import type { Job } from '../../src/schema/job.ts';
import { outcomeOf } from '../outcome.ts';
import { printableLine } from '../render/printable.ts';
import { takeBundle } from './bundle/keepPlace.ts';
import type { Manifest } from './bundle/manifest.ts';
import { type CheckoutOrigin, openBundle } from './bundle/openBundle.ts';
import { bundleIn } from './bundle/readBundle.ts';
import { openSealedBundle, type ReadableBundle, readBundleKey } from './bundle/sealBundle.ts';
import { type Followed, followRun, type Shown } from './playRun.ts';
import { type RunRepository, repositoryOf } from './repository.ts';
import { sitesOf } from './runConfig.ts';
import { type Ran, type RunContext, runOnce } from './runOnce.ts';
import { temporaryHome } from './temporaryHome.ts';

/** A job that a run continues, by its flags. */
export interface ResumedRun {
  /** Folder of the bundle. */
  resume: string;
  /** null = not given: that of the bundle, in the present folder where it is a local one. */
  repo: string | null;
  /** null = the bundle is replaced. */
  keep: string | null;
  /** Team layer; null = that of the configuration. */
  layer: string | null;
  /** Phases whose approval is given now. */
  approve: readonly string[];
  /** For the agent; continues a job that waits for a person. */
  message: string | null;
}

/** Longest wait for the forges' first answers, ms. */
const NEWS_MS = 60_000;
const LOOK_EVERY_MS = 100;

async function repositoryIn(
  { repository }: Manifest,
  { repo }: ResumedRun,
  { io, cwd, given }: RunContext,
): Promise<RunRepository> {
  const { slug, forge, isLocal, identity } = repository;
  if (repo === null && !isLocal) return { slug, forge, path: null, identity };
  const found = await repositoryOf(repo ?? '.', {
    cwd,
    homeDir: io.homeDir,
    forge,
    sites: sitesOf(given, io.env),
    slug,
  });
  const isElsewhere = found.forge !== null && forge !== null && found.forge !== forge;
  if (found.identity === identity && !isElsewhere) return found;
  throw new SvcError(
    'bad-argument',
    `The bundle is of another repository: its job is for ${printableLine(`${slug} (${identity})`)}, and --repo is ${printableLine(`${found.slug} (${found.identity})`)}.`,
  );
}

/** Where the repository of a checkout with this folder name is for this pipeline. */
function originOf(
  name: string,
  { slug, forge, path }: RunRepository,
  given: Record<string, unknown>,
  home: string,
): CheckoutOrigin {
  const { forges }: Partial<Config> = given;
  for (const [other, entry] of Object.entries(forges?.local?.repos ?? {})) {
    const source = typeof entry === 'string' ? entry : entry.path;
    if (checkoutDirOf(other) === name) return { source, origin: source };
  }
  if (checkoutDirOf(slug) !== name) return { source: null, origin: null };
  if (path !== null) return { source: path, origin: path };
  // The mirror, which the next phase makes.
  const mirror = forge === null ? null : join(home, 'mirrors', forge, `${slug.toLowerCase()}.git`);
  return { source: null, origin: mirror };
}

const isWaiting = ({ parked }: Job): boolean => parked?.kind === 'event';

/** Waits until each forge of the job's pull requests was asked for news, or the job continues. */
async function newsArrived({ client, io, stop }: Shown, jobId: string): Promise<Job> {
  const until = io.now() + NEWS_MS;
  for (;;) {
    const job = await client.job(jobId);
    if (!isWaiting(job) || stop.aborted || io.now() > until) return job;
    const own = new Set(job.prMappings.map(({ forge }) => forge));
    const forges = (await client.forges()).filter(({ id, remote }) => remote && own.has(id));
    // Asked again: what came with the last poll may have moved it.
    if (forges.every(({ polls }) => polls > 0)) return client.job(jobId);
    await new Promise<void>((done) => io.after(LOOK_EVERY_MS, done));
  }
}

/** Gives what the flags bring: an approval or a message. */
async function answered(client: Client, job: Job, request: ResumedRun): Promise<void> {
  const { approve, message } = request;
  const { approval, phase } = job;
  if (approval !== null && (approve.includes('all') || approve.includes(phase)))
    await client.resume(job.id, { eventKey: 'approve', shown: approval.shown });
  if (message !== null) await client.message(job.id, { message });
}

const isAnswered = ({ approve, message }: ResumedRun, { approval, phase }: Job): boolean =>
  message !== null || (approval !== null && (approve.includes('all') || approve.includes(phase)));

async function continued(shown: Shown, manifest: Manifest, request: ResumedRun): Promise<Followed> {
  const { id, frame } = manifest.job;
  shown.show(`job ${id} continues, workflow ${printableLine(manifest.job.workflowPath)}\n`);
  const job = await newsArrived(shown, id);
  if (isAnswered(request, job)) await answered(shown.client, job, request);
  else if (!job.ended && outcomeOf(job) === 'waiting') {
    shown.show('Nothing has happened yet that it waits for.\n');
    return { outcome: 'waiting', job };
  }
  return followRun(shown, id, frame);
}

/**
 * Continues the job of a bundle: same id, same visit. What it waits for is looked for at once. A job
 * that had ended is not run again: its exit code is given once more.
 */
export async function resumedRun(context: RunContext, request: ResumedRun): Promise<Ran> {
  const { io, cwd } = context;
  const dir = resolve(cwd, request.resume);
  const giveBack = await takeBundle(dir);
  let bundle: ReadableBundle | null = null;
  try {
    bundle = await openSealedBundle(dir, readBundleKey(io.env));
    const manifest = await bundleIn(bundle.dir);
    const { id, status, ended } = manifest.job;
    if (ended !== null) {
      io.err(`The job ${id} has ended before: ${printableLine(status)}. Nothing was done.\n`);
      const outcome = ended === 0 ? 'complete' : ended === 9 ? 'incomplete' : 'failed';
      return { jobId: id, status, outcome, exitCode: ended, kept: null, job: null };
    }
    if (manifest.job.hasLayer && request.layer === null)
      throw new SvcError(
        'bad-argument',
        `The job began with a file as --workflow (${printableLine(manifest.job.workflowPath)}), whose folder is its team layer. Give the same --workflow again.`,
      );
    const repository = await repositoryIn(manifest, request, context);
    const home = await temporaryHome();
    try {
      const left = await openBundle(bundle.dir, manifest, home.dir, (name) =>
        originOf(name, repository, context.given, home.dir),
      );
      if (left !== null)
        io.err(
          `Not taken from the bundle: ${printableLine(left)}. A bundle brings no programs and settings.\n`,
        );
    } catch (error) {
      home.remove();
      throw error;
    }
    const keep = request.keep ?? dir;
    return await runOnce(
      context,
      { home, repository, layer: request.layer, keep, keepsEnd: true },
      (shown) => continued(shown, manifest, request),
    );
  } finally {
    await bundle?.remove();
    await giveBack();
  }
}
