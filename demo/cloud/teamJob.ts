import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { followJob } from '../../src/api/client/stream.ts';
import type {
  Dispatch,
  DispatchBody,
  DispatchedJob,
} from '../../src/contract/schema/cloud/dispatch.ts';
import type { LogFrame, StateFrame } from '../../src/contract/schema/job/frames.ts';
import type { Job } from '../../src/contract/schema/job/job.ts';
import { actAsReviewer } from '../jobDemo.ts';
import type { Screen } from '../screen.ts';
import { askTeam, createTeamClient, type TeamPlace } from './teamClient.ts';

const LOOK_EVERY_MS = 100;

export const describeWanted = (repo: string, labels: readonly string[]): string =>
  [
    'svc job --team acme --repo',
    repo,
    ...(labels.length > 0 ? ['--labels', labels.join()] : []),
  ].join(' ');

/**
 * Sends a job to the team, and waits for its runner as long as that takes: the request is repeated under one key.
 */
export async function dispatchToTeam(
  place: TeamPlace,
  repo: string,
  labels: readonly string[],
): Promise<DispatchedJob> {
  const body: DispatchBody = {
    type: 'job',
    workflowPath: 'workflows/job.md',
    params: {
      repoSlug: repo,
      description: 'The tests of this repository fail. Find out why and fix it.',
      reviewers: ['reviewer'],
    },
    ...(labels.length > 0 ? { labels: [...labels] } : {}),
  };
  const client = createTeamClient(place);
  const idempotencyKey = randomUUID();
  for (;;) {
    const reply: object = await client.createJob(body, { idempotencyKey });
    if (isPlaced(reply)) return reply;
  }
}

const isPlaced = (reply: object): reply is DispatchedJob => 'dispatchId' in reply;

/** The first dispatch that waits for a label, as soon as one does. */
export async function awaitWaitingDispatch(place: TeamPlace): Promise<Dispatch> {
  for (;;) {
    const waiting = await askTeam<Dispatch[]>(place, '/dispatches?state=waiting');
    const dispatch = waiting.find(({ reason }) => reason.startsWith('no-label:'));
    if (dispatch !== undefined) return dispatch;
    await wait(LOOK_EVERY_MS);
  }
}

export const countMergedPrs = ({ prMappings }: Job): number =>
  prMappings.filter(({ state }) => state === 'merged').length;

/**
 * Follows a job of the team to its end, acting as its reviewer, through the control plane. `reviewer`: name of the
 * person who is logged in, whom the runner records.
 */
export async function playTeamJob(
  place: TeamPlace,
  { jobId, runner: { name } }: DispatchedJob,
  { screen, reviewer }: { screen: Screen; reviewer: string },
): Promise<Job> {
  const client = createTeamClient(place, name);
  const following = new AbortController();
  void followJob({
    client,
    jobId,
    after: 0,
    signal: following.signal,
    onFrame: ({ kind, data }) => {
      if (kind === 'state') screen.state(data as StateFrame, name);
      if (kind === 'log') screen.log(data as LogFrame, name);
    },
  }).catch(() => undefined);
  try {
    for (;;) {
      const job = await client.job(jobId);
      if (job.ended) return job;
      const did = await actAsReviewer(client, job, reviewer);
      if (did !== null) screen.person(`${did} (on ${name}, through the control plane)`, reviewer);
      await wait(LOOK_EVERY_MS);
    }
  } finally {
    following.abort();
  }
}
