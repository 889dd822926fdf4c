import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Job } from '../../../src/contract/schema/job/job.ts';
import { story, type Story } from '../story.ts';
import type { Fault } from './fakeForge/server.ts';

export interface SetbackStage {
  config: Record<string, unknown>;
  server: { fault: (request: { method: string; path: string }) => Fault };
  /** Ann's, on a pull request. */
  comment(number: number, text: string): Promise<unknown>;
  /** Ends pull request 1 without a merge. */
  close(): void;
  remove(): void;
  restore(): void;
  /** Gives the repository another name that the forge redirects to; null = it does not redirect. */
  rename: (() => void) | null;
  /** Merges pull request 2. */
  merge(): Promise<unknown>;
  stop(): Promise<void>;
}

export interface SetbackForge {
  id: string;
  title: string;
  repo: string;
  token: string;
  /** Requests that open a pull request. */
  creates: RegExp;
  /** What the forge says with such a status. */
  refuse(status: number): Exclude<Fault, string | null>;
  open(): Promise<SetbackStage>;
}

const workflowAt = (id: string): string => `
initial_phase: coding
initial_status: coding
phases:
  - { name: coding, agent: agents/coder.md, status: coding, tools: [shell, log, await_event, ${id}_create_pr] }
  - { name: awaiting-merge, agent: null, status: awaiting-pr-merge }
  - { name: testing, agent: agents/tester.md, status: testing }
`;

/**
 * Opens a pull request, and another one when that is closed. A refused call ends it with an exit
 * code of its own, after a report.
 */
const coder = (id: string): string => `
const open = (head) => {
  if (git('branch', '--list', head) === '') git('switch', '-q', '-c', head);
  git('commit', '-q', '--allow-empty', '-m', head + ' ' + session.session);
  const failed = refused('${id}_create_pr', { head, title: head });
  if (failed !== '') {
    tool('log', { message: 'no pull request' });
    throw new Error('no pull request');
  }
};
if (session.visit === 1) open('change');
if (kickoff.includes('closed on')) open('another');
tool('await_event', {});
`;

/** How a job lives through what goes wrong at a remote forge, with a real runner. */
export function forgeSetbackStories(forge: SetbackForge): void {
  const { id, title, repo, token, creates, refuse, open } = forge;
  const test = suite(`stories: setbacks at ${title}`);

  const on = (tell: (it: Story, stage: SetbackStage, job: string) => Promise<void>) => async () => {
    const stage = await open();
    const settings = { token, ...stage.config, pollSeconds: 1 };
    const config = { plugins: { installed: { [id]: { config: settings } } } };
    const programs = { coder: coder(id), tester: "console.log('tested')" };
    try {
      await story({ workflow: workflowAt(id), programs, config }, async (it) =>
        tell(it, stage, await it.job({ repoSlug: repo, gitProvider: id })),
      )();
    } finally {
      await stage.stop();
    }
  };
  const isSettled = (job: Job) => job.ended || job.parked !== null;
  const waits = (visit: number) => (job: Job) => job.parked?.kind === 'event' && job.visit >= visit;

  test('a refused pull request parks its job, a forge that is busy for a moment does not, and no refusal fails it', async () => {
    const stage = await open();
    const settings = { token, ...stage.config, pollSeconds: 1 };
    const config = { plugins: { installed: { [id]: { config: settings } } } };
    const programs = { coder: coder(id), tester: "console.log('tested')" };
    const answers: number[] = [401, 403, 404];
    const passing: number[] = [503, 429];
    stage.server.fault = ({ method, path }) => {
      if (method !== 'POST' || !creates.test(path)) return null;
      if (answers[0] !== undefined) return refuse(answers[0]);
      const status = passing.shift();
      return status === undefined ? null : { ...refuse(status), headers: { 'retry-after': '1' } };
    };
    try {
      await story({ workflow: workflowAt(id), programs, config }, async (it) => {
        const job = await it.job({ repoSlug: repo, gitProvider: id });
        const kinds: unknown[] = [];
        while (answers.length > 0) {
          const now = await it.until(job, isSettled);
          kinds.push([answers.shift(), now.ended ? now.status : now.parked?.kind]);
          await it.client.resume(job, {});
          await it.settled(async () => (await it.client.job(job)).parked === null);
        }
        assert.equal(kinds, [
          [401, 'developer'],
          [403, 'developer'],
          [404, 'developer'],
        ]);
        const parked = await it.until(job, isSettled);
        assert.is(parked.parked?.kind, 'event');
        assert.is(parked.prMappings.length, 1);
      })();
    } finally {
      await stage.stop();
    }
  });

  test(
    'a pull request that is closed leads back, one whose repository is gone is reported, and both continue',
    on(async (it, stage, job) => {
      const phases = ({ phases: all }: Job) => all.map(({ phase }) => phase);
      await it.until(job, waits(1));
      await stage.comment(1, 'Please add a note.');
      await it.until(job, waits(2));

      stage.remove();
      const blockedJob = await it.until(job, ({ parked }) => parked?.needsPerson === true);
      assert.match(blockedJob.parked?.reason ?? '', /no longer shows it/);
      stage.restore();
      const visible = await it.until(job, ({ parked }) => parked?.needsPerson !== true);
      assert.is(visible.parked?.kind, 'event');

      stage.close();
      const closed = await it.until(job, waits(3));
      assert.equal(phases(closed), ['coding', 'coding', 'coding'], 'a close leads back');
      assert.equal(
        closed.prMappings.map(({ state }) => state),
        ['closed', 'open'],
      );
      stage.rename?.();
      await stage.comment(2, 'And another one.');
      await it.until(job, waits(4));
      await stage.merge();
      const endedJob = await it.until(job, ({ ended }) => ended);
      assert.is(endedJob.status, 'complete');
      assert.is(phases(endedJob).at(-1), 'testing');
    }),
  );

  test.run();
}
