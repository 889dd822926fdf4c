import type { JobContext } from '../../machines/index.ts';
import { listLeafPaths } from '../../src/base/json/listLeafPaths.ts';
import type { ActorRow, Batch, JournalRow } from '../../src/kernel/writer.ts';
import { missingApprovals } from '../support/charts/approvalTruth.ts';
import { LEAF_STATES } from '../support/charts/jobStates.ts';
import { REPO } from './forge.ts';
import type { Wish } from './ledger.ts';
import { CAPS, CAPS_AT_THE_END, isStop } from './capTruths.ts';
import { MERGES } from './mergeTruths.ts';
import { MESSAGES } from './messageTruths.ts';
import { USAGE } from './usageTruths.ts';
import type { World } from './world.ts';

/**
 * A sentence that is true of the runner at any time, whatever the world does to it; the function
 * says what makes it false.
 */
export interface Invariant<Args extends unknown[] = []> {
  sentence: string;
  broken(world: World, ...args: Args): string[];
}

interface PersistedJob {
  value: Parameters<typeof listLeafPaths>[0];
  context: JobContext;
}

const persisted = (row: ActorRow): PersistedJob => JSON.parse(row.snapshot) as PersistedJob;
const formatLeaf = (row: ActorRow): string => listLeafPaths(persisted(row).value).join(' & ');
const listActors = ({ store, ledger }: World): ActorRow[] =>
  [...ledger.seqs.keys()].flatMap((id) => store.durable.actor(id) ?? []);
const readJournal = ({ store }: World, id: string): JournalRow[] =>
  store.durable.journal(id, 0, 1_000_000);
const secondsSince = ({ clock }: World, at: number): number => (clock.now() - at) / 1000;

/** How long the runner has been up, seconds; 0 while it is down. */
const upFor = (world: World): number =>
  world.life?.ready ? secondsSince(world, world.life.readySince ?? 0) : 0;

/** The store has written everything, and the job's ports have thrown nothing, for as long. */
const undisturbedFor = (world: World): number => secondsSince(world, world.lastStoreFailure);

/** Known after each commit, from what was written. */
export const AFTER_EVERY_COMMIT: readonly Invariant<[Batch]>[] = [
  {
    sentence: 'every job is in a legal state, and its row says the same as its snapshot',
    broken: (_world, { actors }) =>
      actors.flatMap((row) => {
        const { context } = persisted(row);
        const leaf = formatLeaf(row);
        const [top] = leaf.split('.');
        const { slot, waitingSince, activity } = row.index;
        const parked = context.parked !== null;
        const right =
          LEAF_STATES.some((known) => known === leaf) &&
          slot === (top === 'working') &&
          (waitingSince !== null) === (top === 'queued') &&
          activity === (top === 'parked' || top === 'ended' ? top : 'live') &&
          parked === (top === 'parked');
        return right
          ? []
          : [
              `${row.id} is ${leaf}, listed as ${JSON.stringify(row.index)}, parked ${JSON.stringify(context.parked)}`,
            ];
      }),
  },
  {
    sentence:
      'no phase after a checkpoint begins without its approval, unless a visit had it before',
    broken: ({ store, ledger }, { actors }) =>
      actors.flatMap((row) => {
        const { context } = persisted(row);
        ledger.workflows.note(context);
        const leaf = formatLeaf(row);
        if (leaf !== 'working.inSession' && leaf !== 'ended.complete') return [];
        const visits = store.rows.all('phase_visits', { job_id: row.id });
        return missingApprovals(context, leaf, visits, ledger.workflows).map(
          (name) =>
            `${row.id} is in ${context.phase}, visit ${context.visit}, and ${name} was not approved`,
        );
      }),
  },
  {
    sentence: 'at most runner.maxConcurrentJobs jobs hold a slot',
    broken: ({ store, settings }) => {
      const used = store.actors.slots();
      return used <= settings.runner.maxConcurrentJobs
        ? []
        : [`${used} of ${settings.runner.maxConcurrentJobs}`];
    },
  },
  {
    sentence: 'the rows of a journal are numbered from 1 without a gap',
    broken: ({ ledger }, { journal }) => unbroken(ledger.seqs, journal, ({ seq }) => seq),
  },
  {
    sentence: 'the frames of a job are numbered from 1 without a gap',
    broken: ({ ledger }, { frames }) => unbroken(ledger.frames, frames, ({ n }) => n),
  },
  {
    sentence: 'no event makes a chart throw',
    broken: (_world, { journal }) =>
      journal
        .filter(({ event }) => event.type === 'kernel.chartError')
        .map(({ actor, event }) => `${actor}: ${JSON.stringify(event)}`),
  },
  {
    sentence: 'a complete job has no open work item and no unread message',
    broken: (_world, { actors }) =>
      actors.flatMap((row) => {
        if (formatLeaf(row) !== 'ended.complete') return [];
        const { workItems, unread } = persisted(row).context;
        const open = workItems.filter(
          ({ status }) => status === 'pending' || status === 'in-progress',
        );
        return open.length + unread.messages === 0
          ? []
          : [`${row.id}: ${open.length} open, ${unread.messages} unread`];
      }),
  },
  {
    sentence:
      'what happens to a pull request is committed together with the event for its job; one that has ended needs only its end',
    broken: (world, batch) => {
      const news = collectNews(world, batch);
      world.ledger.news.push(...news);
      return news.flatMap(({ externalId, owner, refusable }) => {
        const reached = world.store.durable.inbox(owner, 'forge:local', externalId) !== undefined;
        return reached || refusable ? [] : [`${externalId} for ${owner}`];
      });
    },
  },
  {
    sentence:
      'restarts alone give up an effect only when five in a row brought no progress, and never fail a job',
    broken: (world, { journal }) =>
      journal
        .filter(
          ({ event }) =>
            event.type === 'effect.givenUp' && event.why === 'restarts-without-progress',
        )
        .flatMap(({ actor, seq, path }) => {
          const before = readJournal(world, actor).findLast((row) => row.seq < seq && !row.note);
          const crashes = world.starts.filter(
            ({ at, clean }) => !clean && at >= (before?.at ?? 0),
          ).length;
          const failed = path.at(-1)?.startsWith('ended.') === true;
          return crashes >= 5 && !failed
            ? []
            : [`${actor} after ${crashes} crashes without progress, now ${path.at(-1)}`];
        }),
  },
];

/** Checked at any moment while the runner is up. */
export const WHILE_UP: readonly Invariant[] = [
  {
    sentence: 'a job that waits gets a free slot within 10 simulated seconds',
    broken: (world) => {
      const { store, settings } = world;
      const [first] = store.actors.listWaiting(1);
      const used = store.actors.slots();
      if (first === undefined || used >= settings.runner.maxConcurrentJobs || upFor(world) < 10)
        return [];
      // What is left of a budget is held by others.
      if (store.rows.count('budget_holds') > 0) return [];
      const since = Math.max(first.since, world.lastFull, world.disk?.lastLow ?? 0);
      return secondsSince(world, since) < 10 || undisturbedFor(world) < 10
        ? []
        : [
            `${first.id} waits for ${secondsSince(world, since)} s; ${used} of ${settings.runner.maxConcurrentJobs} slots are in use`,
          ];
    },
  },
  {
    sentence: 'a job in working.inSession has a live session within 5 simulated seconds of a start',
    broken: (world) =>
      restingFor(world, 5)
        .filter((row) => formatLeaf(row) === 'working.inSession')
        .flatMap((row) => {
          const { visit, session } = persisted(row).context;
          const runs = [...world.agents].some(
            ({ request }) =>
              request.jobId === row.id && request.visit === visit && request.session === session,
          );
          const excused = (world.excused.get(row.id) ?? 0) > world.clock.now();
          return runs || excused ? [] : [`${row.id}, visit ${visit}, session ${session}`];
        }),
  },
  {
    sentence: 'preparing and stopping come to an end within 30 simulated seconds',
    broken: (world) =>
      restingFor(world, 30)
        .filter((row) => ['working.preparing', 'working.stopping'].includes(formatLeaf(row)))
        .map((row) => `${row.id} is ${formatLeaf(row)} for ${secondsSince(world, row.since)} s`),
  },
  {
    sentence: 'a job that rests has no effect in flight',
    broken: (world) => {
      const resting = new Map(
        restingFor(world, 30)
          .filter((row) => row.index.activity !== 'live')
          .map((row) => [row.id, row]),
      );
      return world.store.durable
        .listPendingEffects()
        .filter(({ actor }) => resting.has(actor))
        .map(
          ({ effectId, type, actor }) =>
            `${type} (${effectId}) of ${actor}, ${formatLeaf(resting.get(actor) as ActorRow)}`,
        );
    },
  },
];

/** Checked at any moment, but less often: they are expensive. */
export const NOW_AND_THEN: readonly Invariant[] = [
  {
    sentence:
      'a job can always say why it is where it is, what would move it, and what would happen then',
    broken: (world) => {
      const { life } = world;
      if (!life?.ready) return [];
      return listActors(world).flatMap(({ id, index, seq }) => {
        const { waitsFor, waysOut, state } = life.runner.why(id);
        const ways = waysOut.filter(({ open }) => open !== false).length;
        life.runner.whatIf(id, { type: 'job.pause' });
        // What it says of the job is said at once, or refused by a rejection that ends the
        // simulation.
        void life.runner.machine(id);
        const same = life.runner.job(id).journalLength === seq;
        return waitsFor.length > 0 && ways > 0 && same
          ? []
          : [`${id}, ${index.activity}, ${state.join()}`];
      });
    },
  },
];

/** Known when the storm is over and every job has come to an end. */
export const AT_THE_END: readonly Invariant[] = [
  {
    sentence:
      'after the storm every job comes to an end, and every command of a person to an answer',
    broken: (world) => [
      ...listActors(world)
        .filter(({ index }) => index.activity !== 'ended')
        .map((row) => `${row.id} is ${formatLeaf(row)}`),
      ...world.ledger.requested
        .filter(({ outcome }) => outcome === 'open')
        .map(({ key, kind }) => `${key} (${kind}) is open`),
    ],
  },
  {
    sentence:
      'an acknowledged command is in the journal exactly once, and a refused one is not there',
    broken: (world) => [...commandsAmiss(world), ...createdAmiss(world)],
  },
  {
    sentence: 'the answer of a command names its own journal row',
    broken: (world) =>
      world.ledger.requested.flatMap((wish) => {
        if (wish.seq === undefined) return [];
        const [row] = world.store.durable.journal(wish.target, wish.seq - 1, 1);
        return row && signatureOfRow(row) === formatSignature(wish)
          ? []
          : [`${wish.key}: row ${wish.seq} is ${row?.event.type}`];
      }),
  },
  {
    sentence: 'a job that has ended has no open visit',
    broken: ({ store }) =>
      store.rows.all('phase_visits', { ended_at: null }).map((row) => JSON.stringify(row)),
  },
  {
    sentence: 'the receipt of a message names the message that is in the journal',
    broken: (world) =>
      world.ledger.requested.flatMap(({ key, kind, target, outcome, receipt }) => {
        if (kind !== 'message' || outcome !== 'done') return [];
        const known = readJournal(world, target).some(
          ({ event }) => event.type === 'job.message' && event.id === receipt,
        );
        return known ? [] : [`${key}: there is no message ${receipt}`];
      }),
  },
  {
    sentence:
      'every comment and approval of a person is at the forge as often as it was acknowledged: once',
    broken: (world) => {
      const comments = world.store.rows.all('forge_comments').map(({ body }) => body);
      const approvals = world.store.rows.all('forge_reviews');
      return world.ledger.requested.flatMap(({ key, kind, target, word, outcome }) => {
        if (kind === 'comment') {
          const stands = comments.filter((body) => body === `${word} ${key}`).length;
          return stands === (outcome === 'done' ? 1 : 0)
            ? []
            : [`${key} is ${outcome} and found ${stands} times`];
        }
        if (kind !== 'approve' || outcome !== 'done') return [];
        return approvals.some(({ number, author }) => String(number) === target && author === word)
          ? []
          : [`${key} of ${word}`];
      });
    },
  },
  {
    sentence: 'every event of the forge reaches its job once',
    broken: (world) =>
      [
        ...new Set(
          world.ledger.news.filter(({ refusable }) => !refusable).map(({ owner }) => owner),
        ),
      ].flatMap((owner) => {
        const got = readJournal(world, owner).flatMap(({ event }) =>
          event.type === 'forge.event' ? [(event.event as { externalId: string }).externalId] : [],
        );
        const expected = world.ledger.news.filter(
          (news) => news.owner === owner && !news.refusable,
        );
        return expected
          .map(({ externalId }) => ({
            externalId,
            times: got.filter((id) => id === externalId).length,
          }))
          .filter(({ times }) => times !== 1)
          .map(({ externalId, times }) => `${externalId} ${times} times`);
      }),
  },
  {
    sentence: 'every write that an agent asked of a forge is answered once',
    broken: (world) =>
      listActors(world).flatMap(({ id }) => {
        const rows = readJournal(world, id);
        const listEventKeys = (types: readonly string[]) =>
          rows
            .filter(({ event }) => types.includes(event.type) && typeof event.key === 'string')
            .map(({ event }) => event.key);
        const requestKeys = listEventKeys(['tool.forge_write']).toSorted();
        const answerKeys = listEventKeys(['forge.wrote', 'effect.givenUp']).toSorted();
        return JSON.stringify(requestKeys) === JSON.stringify(answerKeys)
          ? []
          : [`${id} asked ${requestKeys}, was answered ${answerKeys}`];
      }),
  },
  {
    sentence: 'a write that was answered as done is at the forge, and nothing else of the job is',
    broken: (world) =>
      listActors(world).flatMap(({ id }) => {
        const author = `svc:${id}`;
        const writes = readJournal(world, id).filter(
          ({ event }) => event.type === 'forge.wrote' && event.ok === true,
        );
        const times = (operation: string) =>
          writes.filter(({ event }) => event.operation === operation).length;
        const comments = world.store.rows.count('forge_comments', { author });
        const answerCount = times('post_pr_comment') + times('reply_to_comment');
        return comments === answerCount
          ? []
          : [`${id}: ${answerCount} comments were answered, ${comments} are at the forge`];
      }),
  },
  {
    sentence:
      'for each head and base at most one pull request is open, and each is merged at most once',
    broken: ({ store, git }) => {
      const prs = store.rows.all('forge_prs', { repo: REPO });
      const open = prs.filter(({ state }) => state === 'open').map(({ head }) => head);
      const twice = open.filter((head, index) => open.indexOf(head) !== index);
      const merges = git.merges.map(({ head, upTo }) => `${head} up to ${upTo}`);
      const again = merges.filter((merge, index) => merges.indexOf(merge) !== index);
      const unknown = prs.filter(
        ({ state, merge_commit }) => (state === 'merged') !== (merge_commit !== null),
      );
      return [...twice, ...again, ...unknown.map(({ number }) => `#${number}`)];
    },
  },
  {
    sentence: 'the job, its mapping and the forge agree about every pull request',
    broken: (world) =>
      world.store.rows.all('forge_prs', { repo: REPO }).flatMap(({ number, state, author }) => {
        const mapping = world.store.rows.one('pr_mappings', {
          forge: 'local',
          repo: REPO,
          number,
        });
        const row = mapping && world.store.durable.actor(mapping.job_id);
        const known = row && persisted(row).context.prs.find((pr) => pr.number === number)?.state;
        const right =
          mapping?.state === state && known === state && author === `svc:${mapping.job_id}`;
        return right
          ? []
          : [
              `#${number} of ${author} is ${state}; mapping ${JSON.stringify(mapping)}, job ${known}`,
            ];
      }),
  },
  {
    sentence: 'who follows a job over all crashes gets every frame once, in order',
    broken: ({ ledger }) =>
      [...ledger.frames]
        .filter(([id, last]) => ledger.followed.get(id) !== last)
        .map(([id, last]) => `${id}: ${ledger.followed.get(id)} of ${last}`),
  },
  {
    sentence: 'no timer and no letter is left over',
    broken: ({ store }) => [
      ...store.durable.timers(10).map(({ name }) => name),
      ...store.durable.listPendingMail().map(({ id }) => id),
    ],
  },
];

/** To be called after each commit: remembers what the other invariants compare with. */
export function afterCommit(world: World, batch: Batch): void {
  const jobs = { ...batch, actors: batch.actors.filter(({ chart }) => chart === 'job') };
  world.counts.commits += 1;
  world.counts.spent += jobs.journal.filter(isStop).length;
  for (const { sentence, broken } of [...AFTER_EVERY_COMMIT, ...MERGES, ...CAPS])
    for (const how of broken(world, jobs)) world.breaks(`${sentence}: ${how}`);
  for (const { id, index } of jobs.actors) world.ledger.activities.set(id, index.activity);
  // A slot that this commit has freed was in use until now.
  if (world.slots === world.settings.runner.maxConcurrentJobs) world.lastFull = world.clock.now();
  world.slots = world.store.actors.slots();
}

export function whileUp(world: World, thoroughly: boolean): void {
  const invariants = thoroughly ? [...WHILE_UP, ...NOW_AND_THEN] : WHILE_UP;
  for (const { sentence, broken } of invariants)
    for (const how of broken(world)) world.breaks(`${sentence}: ${how}`);
}

export function atTheEnd(world: World): void {
  for (const { sentence, broken } of [...AT_THE_END, ...MESSAGES, ...USAGE, ...CAPS_AT_THE_END])
    for (const how of broken(world)) world.breaks(`${sentence}: ${how}`);
}

/**
 * Jobs that are where they are for so many seconds, with a runner that was up and undisturbed all
 * the time.
 */
function restingFor(world: World, seconds: number): ActorRow[] {
  if (upFor(world) < seconds || undisturbedFor(world) < seconds) return [];
  return listActors(world).filter(({ since }) => secondsSince(world, since) >= seconds);
}

function unbroken<Row extends { actor: string }>(
  last: Map<string, number>,
  rows: readonly Row[],
  getNumber: (row: Row) => number,
): string[] {
  return rows.flatMap((row) => {
    const before = last.get(row.actor) ?? 0;
    last.set(row.actor, getNumber(row));
    return getNumber(row) === before + 1 ? [] : [`${row.actor}: ${getNumber(row)} after ${before}`];
  });
}

/**
 * What the forge's rows of a batch tell, for the jobs that own the pull requests and did not do it
 * themselves.
 */
function collectNews({ store, ledger }: World, { rows, actors, journal }: Batch) {
  return rows.flatMap((change) => {
    if (change.op !== 'put') return [];
    const { repo, number, author, id, state, merge_commit, merged_by } = change.row;
    const kind =
      change.table === 'forge_comments'
        ? { name: 'commented', id, by: author }
        : change.table === 'forge_reviews'
          ? { name: 'approved', id: author, by: author }
          : change.table === 'forge_prs' && state === 'merged'
            ? { name: 'merged', id: merge_commit, by: merged_by }
            : undefined;
    const mapping = store.rows.one('pr_mappings', {
      forge: 'local',
      repo: String(repo),
      number: Number(number),
    });
    if (!kind || !mapping || kind.by === `svc:${mapping.job_id}`) return [];
    const owner = mapping.job_id;
    // The job asked for it just now: its answer says what was found, such as a merge by hand.
    if (
      journal.some(
        ({ actor, event }) => actor === owner && event.type === 'forge.wrote' && event.ok === true,
      )
    )
      return [];
    const isEnded = [
      ledger.activities.get(owner),
      actors.find((row) => row.id === owner)?.index.activity,
    ].includes('ended');
    const refusable = isEnded && kind.name !== 'merged';
    return [{ externalId: `local:${repo}#${number}:${kind.name}:${kind.id}`, owner, refusable }];
  });
}

/** The journal's event of a person's wish, as text that tells it apart. */
const formatSignature = ({ kind, word }: Pick<Wish, 'kind' | 'word'>): string =>
  `job.${kind} ${word}`;

function signatureOfRow({ event }: JournalRow): string | undefined {
  switch (event.type) {
    case 'job.message':
      return `job.message ${event.text}`;
    case 'job.resume':
      return `job.resume ${event.eventKey}`;
    case 'job.pause':
      return 'job.pause ';
    case 'job.cancel':
      return `job.cancel ${event.reason}`;
    case 'job.rerun':
      return `job.rerun ${event.phase}`;
    default:
      return undefined;
  }
}

const COMMANDS = new Set<Wish['kind']>(['message', 'resume', 'pause', 'cancel', 'rerun']);

function commandsAmiss(world: World): string[] {
  return listActors(world).flatMap(({ id }) => {
    const expected = new Map<string, number>();
    for (const wish of world.ledger.requested) {
      if (!COMMANDS.has(wish.kind) || wish.target !== id || wish.outcome !== 'done') continue;
      expected.set(formatSignature(wish), (expected.get(formatSignature(wish)) ?? 0) + 1);
    }
    const actual = new Map<string, number>();
    for (const row of readJournal(world, id)) {
      const signature = signatureOfRow(row);
      if (signature !== undefined) actual.set(signature, (actual.get(signature) ?? 0) + 1);
    }
    return [...new Set([...expected.keys(), ...actual.keys()])]
      .filter((signature) => expected.get(signature) !== actual.get(signature))
      .map(
        (s) =>
          `${id}: "${s}" was acknowledged ${expected.get(s) ?? 0} times and found ${actual.get(s) ?? 0} times`,
      );
  });
}

function createdAmiss(world: World): string[] {
  const acknowledged = world.ledger.requested.filter(
    ({ kind, outcome }) => kind === 'create' && outcome === 'done',
  ).length;
  const count = listActors(world).length;
  return acknowledged === count
    ? []
    : [`${acknowledged} jobs were acknowledged and ${count} exist`];
}
