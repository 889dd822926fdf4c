import type { Client } from '../../../src/api/client/client.ts';
import type { JournalEntry, PullRequestThread } from '../../../src/contract/schema/api/replies.ts';
import type { CommandLedger } from '../cli/commandLedger.ts';
import { git } from '../gitRepository.ts';
import { LOAD_REPO } from './loadOfJobs.ts';

/** Most that is read at once, as the surface allows. */
const PAGE = 500;
/** Commands that leave a row `job.<command>` and nothing to know them by but their number. */
const COUNTED = new Set(['pause', 'resume', 'cancel']);

export interface Audit {
  jobs: number;
  lost: string[];
  doubled: string[];
  /** Jobs that nothing was wrong with, failed, escalated or parked for a developer. */
  spoiled: string[];
}

interface Books {
  descriptions: string[];
  journals: Map<string, JournalEntry[]>;
  threads: PullRequestThread[];
  /** Message of each commit of the base branch that has two parents. */
  merges: string[];
}

async function readBooks(client: Client, repository: string): Promise<Books> {
  const descriptions: string[] = [];
  const journals = new Map<string, JournalEntry[]>();
  for (let offset = 0; ; offset += PAGE) {
    const { jobs, total } = await client.jobs({ limit: PAGE, offset });
    for (const { id, description } of jobs) {
      descriptions.push(description);
      journals.set(id, await client.journal(id, { limit: 1000 }));
    }
    if (offset + PAGE >= total) break;
  }
  const threads: PullRequestThread[] = [];
  for (const { number } of await client.pullRequests(LOAD_REPO))
    threads.push(await client.pullRequest(LOAD_REPO, number));
  const merges = git(repository, ['log', '--merges', '--format=%B%x00', 'main'])
    .split('\0')
    .filter((text) => text.trim() !== '');
  return { descriptions, journals, threads, merges };
}

const readMember = (value: unknown, member: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, member) : undefined;

const tally = (values: Iterable<unknown>): Map<unknown, number> => {
  const times = new Map<unknown, number>();
  for (const value of values) times.set(value, (times.get(value) ?? 0) + 1);
  return times;
};

/**
 * How often each key is found where commands leave it: where the command acts, and in the event of
 * the job that it is for.
 */
function tallies({
  descriptions,
  journals,
  threads,
  merges,
}: Books): Record<string, Map<unknown, number>[]> {
  const events = [...journals.values()].flat().map(({ event }) => event);
  const news = events.flatMap((event) =>
    event.type === 'forge.event' ? [readMember(event, 'event')] : [],
  );
  const ofKind = (kind: string, member: string) =>
    tally(
      news.filter((one) => readMember(one, 'kind') === kind).map((one) => readMember(one, member)),
    );
  return {
    create: [tally(descriptions)],
    message: [
      tally(
        events
          .filter(({ type }) => type === 'job.message')
          .map((event) => readMember(event, 'text')),
      ),
    ],
    comment: [
      tally(threads.flatMap(({ thread }) => thread.map(({ body }) => body))),
      ofKind('commented', 'text'),
    ],
    approve: [tally(threads.flatMap(({ approvals }) => approvals)), ofKind('approved', 'author')],
    merge: [
      tally(merges.map((text) => /: request:(\S+)$/m.exec(text)?.[1])),
      ofKind('merged', 'author'),
    ],
  };
}

/** Compares the answers to people with what is stored. The load must have ended. */
export async function audit(
  client: Client,
  { acknowledged, refused }: CommandLedger,
  repository: string,
): Promise<Audit> {
  const books = await readBooks(client, repository);
  const lost: string[] = [];
  const doubled: string[] = [];
  const compare = (what: string, expected: number, actual: number) => {
    if (actual < expected) lost.push(`${what}: ${actual} instead of ${expected}`);
    if (actual > expected) doubled.push(`${what}: ${actual} instead of ${expected}`);
  };
  const foundTimes = tallies(books);
  for (const [expected, commands] of [
    [1, acknowledged],
    [0, refused],
  ] as const) {
    for (const { command, key } of commands) {
      for (const times of foundTimes[command] ?? [])
        compare(`${command} ${key}`, expected, times.get(key) ?? 0);
    }
  }
  for (const [id, journal] of books.journals) {
    if (journal.some(({ seq }, index) => seq !== index + 1))
      lost.push(`${id}: the journal has a gap`);
    for (const command of COUNTED) {
      const reported = acknowledged.filter(
        (one) => one.command === command && readMember(one.reply, 'jobId') === id,
      );
      compare(
        `${command} of ${id}`,
        reported.length,
        journal.filter(({ event }) => event.type === `job.${command}`).length,
      );
      for (const { key, reply } of reported) {
        const row = journal.find(({ seq }) => seq === readMember(reply, 'seq'));
        if (row?.event.type !== `job.${command}`)
          lost.push(`${command} ${key}: its row is ${row?.event.type}`);
      }
    }
  }
  compare(
    'jobs',
    acknowledged.filter(({ command }) => command === 'create').length,
    books.descriptions.length,
  );
  compare(
    'merged pull requests',
    books.merges.length,
    books.threads.filter(({ state }) => state === 'merged').length,
  );
  return {
    jobs: books.journals.size,
    lost,
    doubled,
    spoiled: [...books.journals].flatMap(spoiledBy),
  };
}

/** Healthy jobs fail only where the load makes them, and it does not. */
function spoiledBy([id, journal]: [string, JournalEntry[]]): string[] {
  const bad = journal.filter(({ event, path }) => {
    const states = path.join(' ');
    return (
      event.type === 'effect.givenUp' || /parked\.developer|ended\.(failed|escalated)/.test(states)
    );
  });
  return bad.map(
    ({ seq, event, path }) =>
      `${id}: row ${seq}, ${event.type} → ${path.join(' ')} ${JSON.stringify(event)}`,
  );
}
