import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { actAsReviewer } from '../../demo/jobDemo.ts';
import { makeSampleRepository } from '../../demo/sampleRepository.ts';
import type { Machine } from './machine.ts';
import { type InstalledRunner, until } from './runner.ts';

const JOB_MS = 60_000;
const DESCRIPTION = 'The tests of this repository fail. Find out why and fix it.';
/** Visits of phases that the job needs; an interrupted one is not another one. */
const VISITS = 6;
/** The job waits for a person. */
const WAITS = 7;

/** What the person has in their start file, and what the help of `svc completion` says to add to it. */
export const START_FILE = 'alias ll="ls -l"\n';
const COMPLETION = 'source <(svc completion bash)\n';

/** Sets up a repository, a team folder (that of the demo, from the package), and svc init. */
export async function setUp(machine: Machine): Promise<string> {
  const repository = makeSampleRepository(machine.home);
  const team = join(machine.home, 'team');
  cpSync(join(machine.program, 'demo', 'intelligence'), team, { recursive: true });
  await machine.svc(['init', '--yes', '--scm', 'local', '--repo-dir', repository]);
  await machine.svc([
    'config',
    'set',
    'tenant.overlay',
    JSON.stringify({ kind: 'localDir', path: team }),
  ]);
  await machine.svc(['config', 'set', 'forges.local.repos.titles', repository]);
  await machine.svc(['config', 'set', 'server.port', '0']);
  writeFileSync(join(machine.home, '.bashrc'), `${START_FILE}${COMPLETION}`);
  return 'svc init, one repository, a team folder, completion';
}

/** Starts a job, which works until it waits for the approval of its plan; its ID. */
export async function jobToCheckpoint(machine: Machine): Promise<string> {
  const request = '--repo titles --reviewers reviewer --wait --json --description'.split(' ');
  const printed = await machine.svc(['job', ...request, DESCRIPTION], WAITS);
  return JSON.parse(printed).jobId;
}

/** Approves the plan; the job then works, and does not wait to be looked at. */
export async function approve(machine: Machine, jobId: string): Promise<string> {
  await machine.svc(['resume', '--job', jobId, '--event', 'approve', '--no-stream']);
  return 'the job works on';
}

export async function jobToEnd(runner: InstalledRunner, jobId: string): Promise<string> {
  const job = await until(JOB_MS, async () => {
    const now = await runner.client.job(jobId);
    if (!now.ended) await actAsReviewer(runner.client, now);
    return now.ended ? now : null;
  });
  const merged = job.prMappings.filter(({ state }) => state === 'merged').length;
  if (job.status !== 'complete' || merged !== 1 || job.phases.length !== VISITS)
    throw new Error(
      `the job ended ${job.status}, after ${job.phases.length} visits of phases, with ${merged} merged pull requests: ${job.reason}`,
    );
  return `${job.status}: ${job.phases.length} visits of phases, ${merged} pull request merged`;
}
