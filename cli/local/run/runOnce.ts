import { resolve } from 'node:path';
import { SvcError } from '../../../src/base/errors/errors.ts';
import type { Job } from '../../../src/contract/schema/job/job.ts';
import { findNewestFrame } from '../../remote/waitForGoal.ts';
import type { Io } from '../../io.ts';
import { toExitCode, type Outcome } from '../../deriveOutcome.ts';
import { formatRunEnd } from '../../render/job/formatRunEnd.ts';
import { readBundleKey } from './bundle/sealBundle.ts';
import { writeJobBundle, type BundleSummary } from './bundle/writeJobBundle.ts';
import { BUNDLE_FORMAT } from './bundle/manifest.ts';
import type { FollowedJob, RunView } from './followRun.ts';
import type { RunRepository } from './resolveRunRepository.ts';
import { buildRunConfig } from './buildRunConfig.ts';
import { startRunnerHere } from './startRunnerHere.ts';
import { writeStepFiles } from './writeStepFiles.ts';
import { readStopCode } from './createStopSignal.ts';
import type { TemporaryHome } from './makeTemporaryHome.ts';
import type { Env } from '../../../src/host/config/home/env.ts';
import { BUILT_IN_MANIFESTS } from '../../../src/plugins/builtInCatalogue.ts';

interface RunSources {
  /** File of `--config`; null = none was given. */
  file: string | null;
  inFile: Record<string, unknown>;
  given: Record<string, unknown>;
  env: Env;
}

const NAMED = /plugins\.installed\.([\w-]+)\.config\.(\w+)/g;

const valueAt = (config: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (at, key) => (Object.hasOwn(Object(at), key) ? Object(at)[key] : undefined),
    config,
  );

function findSource(id: string, setting: string, { file, inFile, given, env }: RunSources): string {
  const path = ['plugins', 'installed', id, 'config', setting];
  const value = valueAt(given, path);
  if (value !== undefined)
    return value === valueAt(inFile, path)
      ? `is set in ${file}`
      : setting === 'apiKey'
        ? 'comes from --api-key or the environment'
        : 'comes from the flags of this run';
  const variable = BUILT_IN_MANIFESTS.find((one) => one.id === id)?.settings?.[setting]?.env;
  if (variable === undefined) return 'is not set; set it in the file of --config';
  return env[variable]?.trim()
    ? `comes from ${variable} in the environment`
    : `is not set; set ${variable} in the environment, or set it in the file of --config`;
}

/**
 * Where the settings that a reason names come from in this run, a line each: a home of a run is
 * temporary, so `svc config set` changes none of them. Empty where it names none.
 */
export function describeSources(reason: string, sources: RunSources): string {
  const lines = [...reason.matchAll(NAMED)].map(
    ([key, id = '', setting = '']) => `${key} ${findSource(id, setting, sources)}.\n`,
  );
  return [...new Set(lines)].join('');
}

export interface RunReply {
  jobId: string;
  status: string;
  outcome: Outcome;
  exitCode: number;
  /** Folder of the bundle; null = the job was not kept. */
  kept: string | null;
  /** null = it had ended before this run. */
  job: Job | null;
}

export interface RunContext {
  io: Io;
  stop: AbortSignal;
  asJson: boolean;
  version: string;
  cwd: string;
  /** Longest time of the job, ms; null = without end. */
  timeoutMs: number | null;
  /** What `--config` names, read, with what the flags of the model say. */
  given: Record<string, unknown>;
  /** File of `--config`, and what is in it; null = none was given. */
  file: { path: string; config: Record<string, unknown> } | null;
  agent: string | null;
  model: string | null;
}

interface RunStage {
  home: TemporaryHome;
  repository: RunRepository;
  /** Team layer; null = that of the configuration. */
  layer: string | null;
  /** Folder of the bundle; null = the job is not to be kept. */
  keep: string | null;
  /** Whether a job that has ended leaves a bundle that names its end. */
  keepsEnd: boolean;
}

/**
 * Starts a runner on the home, runs one job on it and stops it. Keeps the job if that is wanted,
 * and always removes the home.
 */
export async function runOnce(
  context: RunContext,
  { home, repository, layer, keep, keepsEnd }: RunStage,
  play: (runView: RunView) => Promise<FollowedJob>,
): Promise<RunReply> {
  const { io, stop, asJson, version, timeoutMs } = context;
  const { env, homeDir } = io;
  try {
    // An unusable key is refused before anything is done.
    readBundleKey(env);
    const config = buildRunConfig({ ...context, env, home: home.dir, repository, layer });
    const runner = await startRunnerHere({ home: home.dir, config, env, homeDir, version });
    const { client } = runner;
    let end: FollowedJob;
    let frame: number;
    try {
      if (stop.aborted) throw new SvcError('stopping', 'Stopped before the job started.');
      end = await play({ client, io, show: asJson ? io.err : io.out, stop, timeoutMs });
      frame = await findNewestFrame({ client, jobId: end.job.id }, AbortSignal.any([]));
    } finally {
      await runner.stop();
    }
    const { job, outcome } = end;
    const exitCode = readStopCode(stop) ?? toExitCode(outcome);
    const bundleDir = keep !== null && (keepsEnd || !job.ended) ? resolve(context.cwd, keep) : null;
    if (bundleDir !== null) {
      const about = buildBundleSummary(end, {
        frame,
        exitCode,
        repository,
        version,
        hasLayer: layer !== null,
      });
      await writeJobBundle(bundleDir, home.dir, about, runner.secrets, readBundleKey(env));
    }
    const ran = { job, outcome, exitCode, kept: job.ended ? null : bundleDir };
    io.err(formatRunEnd(ran));
    if (!job.ended)
      io.err(
        describeSources(job.reason ?? '', {
          file: context.file?.path ?? null,
          inFile: context.file?.config ?? {},
          given: context.given,
          env,
        }),
      );
    await writeStepFiles(ran, env, io.err);
    return { jobId: job.id, status: job.status, ...ran };
  } finally {
    home.remove();
  }
}

const buildBundleSummary = (
  { job }: FollowedJob,
  more: {
    frame: number;
    exitCode: number;
    repository: RunRepository;
    version: string;
    hasLayer: boolean;
  },
): BundleSummary => {
  const { frame, exitCode, repository, version, hasLayer } = more;
  const { slug, forge, path, identity } = repository;
  return {
    format: BUNDLE_FORMAT,
    svc: version,
    job: {
      id: job.id,
      status: job.status,
      workflowPath: job.workflowPath,
      hasLayer,
      frame,
      ended: job.ended ? exitCode : null,
    },
    repository: { slug, forge, isLocal: path !== null, identity },
  };
};
