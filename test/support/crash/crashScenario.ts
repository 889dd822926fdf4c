import { join } from 'node:path';
import type { Job } from '../../../src/contract/schema/job/job.ts';
import type { CommandLedger } from '../cli/commandLedger.ts';
import { PATIENCE_MS } from '../inTime.ts';
import { Looks } from '../looks.ts';

const packageRoot = join(import.meta.dirname, '..', '..', '..');

export const REPO = 'titles';
const REVIEWER = 'reviewer';

export interface CrashScenario {
  tenant: string;
  /** Added to the configuration; default: nothing. */
  settings?: Record<string, unknown>;
  /** Does what the people do, as often as it takes; resolves with the job when it has ended. */
  play(people: CommandLedger): Promise<Job>;
}

async function until(
  people: CommandLedger,
  jobId: string,
  isReached: (job: Job) => boolean,
): Promise<Job> {
  const deadline = Date.now() + PATIENCE_MS;
  const looks = new Looks();
  for (;;) {
    const job = await people.ask((client) => client.job(jobId));
    if (isReached(job)) return job;
    if (Date.now() > deadline || job.ended)
      throw new Error(`the job did not get there; it is ${JSON.stringify(job, null, 2)}`);
    await looks.pause();
  }
}

const isParked = (kind: string) => (job: Job) => job.parked?.kind === kind;

async function create(
  people: CommandLedger,
  description: string,
  workflowPath = 'workflows/job.md',
): Promise<string> {
  const params = { repoSlug: REPO, description, interactive: true };
  const body = { type: 'job', workflowPath, params };
  const reply = await people.command('create', 'create', (client, once) =>
    client.createJob(body, once),
  );
  if (reply === null) throw new Error('the job was refused');
  return reply.jobId;
}

async function approve(people: CommandLedger, jobId: string): Promise<void> {
  const { approval } = await until(people, jobId, isParked('approval'));
  const body = { eventKey: 'approve', ...(approval?.shown ? { shown: approval.shown } : {}) };
  await people.command('resume', 'approve', (client, once) => client.resume(jobId, body, once));
}

const comment = (people: CommandLedger, body: string) =>
  people.command('comment', 'comment', (client, once) =>
    client.commentPullRequest(REPO, 1, { author: REVIEWER, body }, once),
  );

const merge = (people: CommandLedger) =>
  people.command('merge', 'merge', (client, once) =>
    client.mergePullRequest(REPO, 1, { author: REVIEWER }, once),
  );

const hasEnded = (job: Job) => job.ended;

/** Waits until the job awaits its pull request in a visit after `visit`; answers the visit. */
const awaited = async (people: CommandLedger, jobId: string, visit = 0): Promise<number> =>
  (await until(people, jobId, (job) => isParked('event')(job) && job.visit > visit)).visit;

/** The default workflow with one small process a phase, and every command of a person. */
export const shortJob: CrashScenario = {
  tenant: join(packageRoot, 'test', 'crash', 'short'),
  async play(people) {
    const jobId = await create(people, 'Add a note.');
    await approve(people, jobId);
    const visit = await awaited(people, jobId);
    // What comes in while the job is paused is read by one session; a message resumes it.
    await people.command('pause', 'pause', (client, once) => client.pause(jobId, {}, once));
    await comment(people, 'Who is it for?');
    await people.command('approve', 'approve-pr', (client, once) =>
      client.approvePullRequest(REPO, 1, { author: REVIEWER }, once),
    );
    await people.command('message', 'message', (client, once) =>
      client.message(jobId, { message: 'Keep it short.' }, once),
    );
    await awaited(people, jobId, visit);
    await merge(people);
    return until(people, jobId, hasEnded);
  },
};

const subRun = (job: Job, name: string) => job.subRuns.find((one) => one.name === name);

/**
 * A parent with three sub-runs in sequence that halts twice: the first fails and a person
 * runs it again with another param; the second is cancelled while it is under way, and the third,
 * which waits for it, is skipped; then the second one's failure is accepted.
 */
export const shortCampaign: CrashScenario = {
  tenant: join(packageRoot, 'test', 'crash', 'campaign'),
  async play(people) {
    const jobId = await create(people, 'Three steps.', 'workflows/parent.md');
    const halted = (name: string) =>
      until(
        people,
        jobId,
        (job) => isParked('halted')(job) && subRun(job, name)?.status === 'failed',
      );
    await halted('a');
    const again = { reason: 'fixed', paramsPatch: { lane: 'child' } };
    await people.command('rerun', 'rerun-a', (client, once) =>
      client.rerunSubRun(jobId, 'a', again, once),
    );
    const { subRuns } = await until(
      people,
      jobId,
      (job) => (subRun(job, 'b')?.jobId ?? null) !== null,
    );
    await until(
      people,
      subRuns.find(({ name }) => name === 'b')?.jobId ?? '',
      isParked('approval'),
    );
    const notB = { reason: 'not wanted' };
    await people.command('cancel', 'cancel-b', (client, once) =>
      client.cancelSubRun(jobId, 'b', notB, once),
    );
    await halted('b');
    await people.command('skip', 'skip-c', (client, once) =>
      client.skipSubRun(jobId, 'c', {}, once),
    );
    // Of what is left nothing can begin; the campaign still waits until its failure is accepted.
    const asItIs = { reason: 'done without it' };
    await people.command('cancel', 'accept-b', (client, once) =>
      client.cancelSubRun(jobId, 'b', asItIs, once),
    );
    return until(people, jobId, hasEnded);
  },
};

/** A job that loops between two phases, is parked for it, and hears in a message what is missing. */
export const loopJob: CrashScenario = {
  tenant: join(packageRoot, 'test', 'crash', 'loop'),
  async play(people) {
    const jobId = await create(people, 'Add a note.');
    const { parked } = await until(people, jobId, isParked('developer'));
    if (parked?.circle?.times !== 3)
      throw new Error(`the job is parked for something else: ${JSON.stringify(parked)}`);
    await people.command('message', 'message', (client, once) =>
      client.message(jobId, { message: 'Write the file.' }, once),
    );
    return until(people, jobId, hasEnded);
  },
};

/** Longer than a runner takes to start again: one that is late finds the rating skipped. */
const ANSWER_MS = 30_000;

/** A job that is rated in Manage: its first phase is flagged, and a person resumes it. */
export const ratedJob = (baseUrl: string): CrashScenario => ({
  tenant: join(packageRoot, 'test', 'crash', 'rated'),
  settings: {
    decision: {
      mode: 'live',
      apiKey: 'key-of-the-provider',
      baseUrl,
      timeoutMs: ANSWER_MS,
      sites: { lane: 'off' },
    },
  },
  async play(people) {
    const jobId = await create(people, 'Add a note.');
    await until(people, jobId, isParked('flagged'));
    await people.command('resume', 'resume', (client, once) => client.resume(jobId, {}, once));
    return until(people, jobId, hasEnded);
  },
});

/** The job of `npm run demo`, with its programs. */
export const demoJob: CrashScenario = {
  tenant: join(packageRoot, 'demo', 'intelligence'),
  async play(people) {
    const jobId = await create(
      people,
      'The tests of this repository fail. Find out why and fix it.',
    );
    await approve(people, jobId);
    const visit = await awaited(people, jobId);
    await comment(
      people,
      'Good. What about a title that is nothing but dashes and spaces? Please add a test.',
    );
    await awaited(people, jobId, visit);
    await merge(people);
    return until(people, jobId, hasEnded);
  },
};
