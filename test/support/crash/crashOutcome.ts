import { git } from '../gitRepository.ts';
import type { Client } from '../../../src/api/client/client.ts';
import type { Job } from '../../../src/contract/schema/job/job.ts';
import type { JournalEntry } from '../../../src/contract/schema/api/replies.ts';
import { openStore } from '../../../src/jobs/store/openStore.ts';
import type { Acknowledged } from '../cli/commandLedger.ts';
import { REPO } from './crashScenario.ts';

/** A session that runs again is given unread messages again. */
const OFFERS: ReadonlySet<string> = new Set(['message.offered', 'message.delivered']);

const MOST_ROWS = 1_000;

/**
 * Everything of a job that has ended which a crash must not change: no times, no ids made of them.
 */
export interface Outcome {
  jobs: number;
  job: Record<string, unknown>;
  pullRequests: unknown[];
  comments: unknown[];
  /** Commits of the base branch, children first: subject, and the number of parents. */
  commits: string[];
  /** Hash of the base branch's files. */
  tree: string;
  /**
   * Type and states of every journal row that is no note; how often a message is offered depends on
   * how often its session runs.
   */
  journal: string[];
  /** State of each message, and how often it was read. */
  messages: [string, number][];
  /** Titles and contents of the artefacts, in order; names of commits are masked. */
  artefacts: string[];
}

export async function readOutcome(
  client: Client,
  { id }: Pick<Job, 'id'>,
  repository: string,
): Promise<Outcome> {
  const job = await client.job(id);
  const journal = await client.journal(id, { limit: MOST_ROWS });
  const numbers = (await client.pullRequests(REPO)).map(({ number }) => number);
  const threads = await Promise.all(numbers.map((number) => client.pullRequest(REPO, number)));
  return {
    jobs: (await client.jobs()).total,
    job: {
      status: job.status,
      state: job.state,
      parked: job.parked,
      escalation: job.escalationMessage,
      visit: job.visit,
      phases: job.phases.map(({ phase, status, sessions, outcome, approvedBy }) => [
        phase,
        status,
        sessions,
        outcome,
        approvedBy,
      ]),
      workItems: job.workItems,
      insights: job.insights.map(({ category, text, phase }) => [category, text, phase]),
      prs: job.prMappings.map(({ prId, state, workItem }) => [prId, state, workItem]),
      subRuns: job.subRuns.map(({ name, status, attempt, reason, params }) => [
        name,
        status,
        attempt,
        reason,
        params,
      ]),
      ratings: job.decisionRecords.map(({ site, phase, flag, skipped, paused }) => [
        site,
        phase,
        flag,
        skipped,
        paused,
      ]),
    },
    pullRequests: threads.map(({ prId, state, title, head, approvals }) => ({
      prId,
      state,
      title,
      head,
      approvals,
    })),
    comments: threads.flatMap(({ thread }) =>
      thread.map(({ author, body, inReplyTo }) => ({
        author: author.replace(id, '<job>'),
        body,
        repliesTo: thread.findIndex((other) => other.id === inReplyTo),
      })),
    ),
    commits: git(repository, ['log', '--topo-order', '--format=%s (%p)', 'main'])
      .split('\n')
      .map((line) =>
        line.replace(
          /\((.*)\)$/,
          (_all, parents: string) => `(${parents.split(' ').filter(Boolean).length} parents)`,
        ),
      ),
    tree: git(repository, ['rev-parse', 'main^{tree}']),
    journal: journal
      .filter(({ note, event }) => !note && !OFFERS.has(event.type))
      .map(({ event, path }) => `${event.type} → ${path.join(' ')}`),
    messages: (await client.messages(id)).messages.map(({ state, offers }) => [
      state,
      offers.filter(({ acknowledgedAt }) => acknowledgedAt !== null).length,
    ]),
    artefacts: await Promise.all(
      job.artefacts.map(async (one) =>
        withoutCommits(`${one.title}: ${await client.artefact(id, one.id)}`),
      ),
    ),
  };
}

/** Names of commits hold their times. */
const withoutCommits = (text: string): string => text.replace(/\b[0-9a-f]{7,40}\b/g, '<commit>');

const readMember = (value: unknown, member: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, member) : undefined;

/** What is wrong with journal and answers; empty = all acknowledged events are stored once. */
export function ledgerProblems(
  acknowledged: readonly Acknowledged[],
  journal: readonly JournalEntry[],
): string[] {
  const problems: string[] = [];
  if (journal.some(({ seq }, index) => seq !== index + 1)) problems.push('the journal has a gap');
  for (const { key, command, reply } of acknowledged) {
    const seq = readMember(reply, 'seq');
    // Acts on a pull request have no journal row of their own: the outcome counts them.
    if (typeof seq !== 'number') continue;
    const row = journal.find((entry) => entry.seq === seq);
    if (row?.event.type !== `job.${command}`)
      problems.push(`${key}: its row ${seq} is ${row?.event.type}, not job.${command}`);
    const receipt = readMember(readMember(reply, 'receipt'), 'id');
    if (receipt === undefined) continue;
    // Further events with its id show the outcome of the message.
    const times = journal.filter(
      ({ event }) => event.type === 'job.message' && Reflect.get(event, 'id') === receipt,
    ).length;
    if (times !== 1)
      problems.push(`${key}: the receipt ${String(receipt)} is in the journal ${times} times`);
  }
  for (const command of new Set(acknowledged.map((one) => one.command))) {
    const reported = acknowledged.filter(
      (one) => one.command === command && typeof readMember(one.reply, 'seq') === 'number',
    ).length;
    const rows = journal.filter(({ event }) => event.type === `job.${command}`).length;
    if (reported !== rows)
      problems.push(
        `${command} was acknowledged ${reported} times and is in the journal ${rows} times`,
      );
  }
  return problems;
}

/** What a runner that has ended left undone in its state, although the job has ended. */
export function leftOver(stateDb: string, { id }: Pick<Job, 'id'>): string[] {
  const store = openStore({ file: stateDb, pid: process.pid, now: 0 });
  try {
    const frames = store.durable.frames(id, 0, MOST_ROWS);
    return [
      ...store.integrity(),
      ...(frames.some(({ n }, index) => n !== index + 1)
        ? ['the frames of the stream have a gap']
        : []),
      ...store.durable
        .listPendingEffects()
        .map(({ effectId, type }) => `the effect ${effectId} ${type} is pending`),
      ...store.durable
        .listPendingMail()
        .map(({ id, to }) => `the letter ${id} to ${to} is not delivered`),
      ...store.durable.timers(1).map(({ actor, name }) => `the timer ${name} of ${actor} is set`),
    ];
  } finally {
    store.close();
  }
}
