import { SvcError } from '../../../base/errors/errors.ts';
import { sha256 } from '../../../base/system/ids/ids.ts';
import type { CreateJobBody } from '../../../contract/schema/api/bodies.ts';
import type {
  Dispatch,
  DispatchBody,
  DispatchedJob,
} from '../../../contract/schema/cloud/dispatch.ts';
import { toTextArray } from '../../runners/toTextArray.ts';
import type { RunnerDirectory } from '../../runners/runnerDirectory.ts';
import type { Person } from '../../server/cloudCall.ts';
import type { CloudContext } from '../../server/cloudContext.ts';
import { nameRunners } from '../list/toTeamJob.ts';
import type { Dispatcher } from './dispatcher.ts';
import { type DispatchRow, findDispatch, toDispatch } from './dispatchRow.ts';
import { MOST_WAITING } from './placeDispatches.ts';
import { toKnownCode } from './readAnswer.ts';

/** How long a caller waits for the job, ms; then the dispatch is the answer. */
export const ANSWER_MS = 10_000;
/** Wait between two checks for a placement by another node, ms. */
const LOOK_MS = 250;

export interface DispatchParts {
  context: CloudContext;
  directory: Pick<RunnerDirectory, 'list'>;
  dispatcher: Pick<Dispatcher, 'wake' | 'watch'>;
  /** Aborted when the node stops. */
  leaving: AbortSignal;
}

interface NewDispatch {
  teamId: string;
  person: Person;
  body: DispatchBody;
  requestKey: string | undefined;
}

/** PostgreSQL stores neither NUL nor half a character, and a runner does not get a request that differs from what was asked. */
function refuseUnstorable(body: object): void {
  const check = (text: string) => {
    if (text.includes('\0') || /\p{Cs}/u.test(text))
      throw new SvcError(
        'invalid',
        'The body has a text that cannot be stored: it contains a NUL character or half a character.',
      );
  };
  JSON.stringify(body, (name, member: unknown) => {
    check(name);
    if (typeof member === 'string') check(member);
    return member;
  });
}

/** Keys of two people are different ones. */
const toStoredKey = (userId: string, key: string): string => sha256(`${userId}\n${key}`);

/** Stores a dispatch, or finds the one of an earlier request with the same key. */
export async function createDispatch(
  { context, dispatcher }: DispatchParts,
  { teamId, person, body: sentBody, requestKey }: NewDispatch,
): Promise<string> {
  const { labels = [], runner, ...body } = sentBody;
  refuseUnstorable(sentBody);
  const { database, clock, ids } = context;
  const { sql } = database;
  const id = ids.next();
  const now = new Date(clock.now());
  const key = requestKey === undefined ? null : toStoredKey(person.userId, requestKey);
  const text = JSON.stringify(body satisfies CreateJobBody);
  const wantedRunner = runner ?? null;
  const [row] = await sql`
    insert into dispatches (id, team_id, created_by, request_key, body, labels, wanted_runner, state, reason,
      reason_since, created_at)
    select ${id}, ${teamId}, ${person.userId}, ${key}::text, ${text}::text::jsonb, ${toTextArray(sql, labels)},
      ${wantedRunner}::text, 'waiting', 'no-runner', ${now}, ${now}
    where (select count(*) from dispatches where team_id = ${teamId} and state = 'waiting') < ${MOST_WAITING}
    on conflict (team_id, request_key) do nothing
    returning id`;
  if (row !== undefined) {
    dispatcher.wake();
    return id;
  }
  const [known] = await sql`
    select id, body = ${text}::text::jsonb and labels = ${toTextArray(sql, labels)}
      and wanted_runner is not distinct from ${wantedRunner}::text as is_same
    from dispatches where team_id = ${teamId} and request_key = ${key}::text`;
  if (known === undefined)
    throw new SvcError(
      'rate-limited',
      `${MOST_WAITING} dispatches of this team wait for a runner. Cancel some, or connect more runners.`,
    );
  if (known.is_same !== true)
    throw new SvcError(
      'invalid',
      `The Idempotency-Key ${requestKey} was already used for another request; use a new key.`,
    );
  return known.id;
}

const isOpen = ({ state }: DispatchRow): boolean => state === 'waiting' || state === 'sent';

/** The dispatch once it has ended, or as it is when the time is over. */
async function awaitEnd(
  { context, dispatcher, leaving }: DispatchParts,
  teamId: string,
  id: string,
  readerGone: AbortSignal,
): Promise<DispatchRow> {
  const { database, clock } = context;
  const until = clock.now() + ANSWER_MS;
  const stop = AbortSignal.any([leaving, readerGone]);
  let wake: () => void = () => undefined;
  let changed = false;
  const unwatch = dispatcher.watch(id, () => {
    changed = true;
    wake();
  });
  const onStop = () => wake();
  stop.addEventListener('abort', onStop);
  try {
    for (;;) {
      changed = false;
      const row = await findDispatch(database.sql, teamId, id);
      if (row === undefined) throw new SvcError('not-found', 'This team does not exist.');
      const remainingMs = until - clock.now();
      if (!isOpen(row) || remainingMs <= 0 || stop.aborted) return row;
      if (changed) continue;
      await new Promise<void>((resolve) => {
        const cancel = clock.at(clock.now() + Math.min(remainingMs, LOOK_MS), resolve);
        wake = () => {
          cancel();
          resolve();
        };
      });
    }
  } finally {
    unwatch();
    stop.removeEventListener('abort', onStop);
  }
}

/** Throws what the runner answered, as if it had been asked itself. */
function refuseAsRunner({ id, refusal, refusals }: DispatchRow): never {
  const { runnerName = '', code = '', detail = '', errors = [] } = refusal ?? {};
  const others = refusals.length > 1 ? ` ${refusals.length} runners have refused it.` : '';
  throw new SvcError(
    toKnownCode(code),
    `The runner ${runnerName} did not make the job: ${detail}${others}`,
    { errors, data: { dispatchId: id, runner: runnerName } },
  );
}

export type DispatchAnswer = { made: DispatchedJob } | { pending: Dispatch };

/** Waits for the job of a dispatch. Throws SvcError with the runner's refusal where it was refused. */
export async function awaitDispatch(
  parts: DispatchParts,
  team: { id: string; slug: string },
  id: string,
  readerGone: AbortSignal,
): Promise<DispatchAnswer> {
  const row = await awaitEnd(parts, team.id, id, readerGone);
  if (row.state === 'refused') refuseAsRunner(row);
  const runners = nameRunners(await parts.directory.list(team.id));
  const dispatch = toDispatch(row, runners);
  if (row.state !== 'placed' || row.job_id === null) return { pending: dispatch };
  const { job_id: jobId, runner_id: runnerId, reply } = row;
  const status = reply?.status ?? 'queued';
  return {
    made: {
      ...reply,
      jobId,
      status,
      streamUrl: `/teams/${team.slug}/jobs/${jobId}/stream`,
      dispatchId: id,
      runner: { id: runnerId ?? '', name: dispatch.runner?.name ?? '' },
    },
  };
}
