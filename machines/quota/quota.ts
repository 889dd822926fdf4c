import { setup } from 'xstate';
import type { QuotaHit } from '../../src/base/agents/quotaKinds.ts';
import type { IntrinsicParams } from '../../src/contract/records/changes.ts';
import { createChangeActions, createEffectAction } from '../kit/actions.ts';
import { createEventChangeBuilder, type EffectOf } from '../kit/change.ts';
import { toEventTime } from '../kit/eventTime.ts';
import { mustCloseForFailures, closeForFailures, countFailureInRow } from './failureStreak.ts';
import type { QuotaPorts } from './ports.ts';
import type { QuotaContext, QuotaEvent, QuotaInput } from './quotaContext.ts';
import { closeForHit, FURTHEST_RESET_MS, HEADLESS_USE, computeProbeTime } from './closeForHit.ts';
import { makeOnFirstUse } from '../../src/base/concurrency/makeOnFirstUse.ts';

/** Most eventless transitions; the chart has none, so more would be a cycle. */
const MAX_MICROSTEPS = 5;
/** Wait for a probe's answer before the next job is tried, ms. */
export const PROBE_MS = 120_000;
/** Time between two waves of woken jobs, ms. */
export const WAVE_MS = 10_000;
const TIMER = 'due';
const ROOM_TIMER = 'room';

type Effects = QuotaPorts & Pick<IntrinsicParams, 'timer.set' | 'timer.cancel'>;
type Effect = EffectOf<Effects>;

interface Args {
  context: QuotaContext;
  event: QuotaEvent;
}

const setDueTimer = (due: number): Effect => ({
  type: 'timer.set',
  params: { name: TIMER, due, event: { type: 'quota.due' } },
});
const wakeWaitingJobs = (accountId: string, jobs: number, probe?: string | null): Effect => ({
  type: 'quota.wake',
  params: { pool: accountId, jobs, ...(probe === undefined ? {} : { probe }) },
});
const isHitOfKind =
  (...kinds: QuotaHit['kind'][]) =>
  ({ event }: Args): boolean =>
    event.type === 'quota.hit' && kinds.includes(event.kind);
const isFull = ({ use }: QuotaContext): boolean => use !== null && use.used >= HEADLESS_USE;

const guards = {
  moneyIsMissing: isHitOfKind('billing'),
  limitIsShort: isHitOfKind('throttled', 'overloaded'),
  limitLasts: isHitOfKind('exhausted'),
  endsSooner: ({ context, event }: Args) =>
    event.type === 'quota.hit' &&
    closeForHit(context, event, event.at).until === context.closed?.until,
  keepsFailing: ({ context, event }: Args) =>
    event.type === 'quota.failed' && mustCloseForFailures(context, event),
  noneWaits: ({ event }: Args) => event.type === 'quota.woken' && event.left === 0,
  noneWasWoken: ({ event }: Args) =>
    event.type === 'quota.woken' && event.jobs === 0 && event.left === 0,
  hasRoom: ({ context }: Args) => !isFull(context),
  hasRoomAgain: ({ context, event }: Args) =>
    event.type === 'quota.seen' && isFull(context) && event.used < HEADLESS_USE,
};

const onQuotaEvent = createEventChangeBuilder<QuotaContext, QuotaEvent, Effect>();

const changes = {
  close: onQuotaEvent(['quota.hit'], (context, event) => {
    const closure = closeForHit(context, event, event.at);
    const due =
      closure.until === null ? [] : [setDueTimer(computeProbeTime(closure.until, event.chance))];
    return { context: { closed: closure }, effects: due };
  }),
  countFailure: onQuotaEvent(['quota.failed'], (context, event) => ({
    context: { failing: countFailureInRow(context, event) },
  })),
  closeForFailure: onQuotaEvent(['quota.failed'], (context, event) => {
    const closure = closeForFailures(context, event, event.at);
    const due =
      closure.until === null ? [] : [setDueTimer(computeProbeTime(closure.until, event.chance))];
    return { context: { closed: closure }, effects: due };
  }),
  forgetFailures: () => ({ context: { failing: undefined } }),
  failProbe: ({ failures }: QuotaContext) => ({
    context: { failures: failures + 1, closed: null },
  }),
  see: onQuotaEvent(['quota.seen'], (_context, { used, window, resetsAt, chance, at: now }) => {
    // As for limits: a time too far away is taken for a mistake.
    const ends = resetsAt !== null && resetsAt - now <= FURTHEST_RESET_MS ? resetsAt : null;
    const use = { used, window, resetsAt: ends, at: now };
    const isHeld = used >= HEADLESS_USE && ends !== null && ends > now;
    return {
      context: { use },
      effects: [
        isHeld
          ? {
              type: 'timer.set',
              params: {
                name: ROOM_TIMER,
                due: computeProbeTime(ends, chance),
                event: { type: 'quota.room' },
              },
            }
          : { type: 'timer.cancel', params: { name: ROOM_TIMER } },
      ],
    };
  }),
  probe: ({ pool: accountId, ...context }: QuotaContext, event: QuotaEvent) => ({
    context: { wave: 1 },
    effects: [
      wakeWaitingJobs(accountId, 1, context.probe ?? null),
      setDueTimer(toEventTime(context, event) + PROBE_MS),
    ],
  }),
  nameProbe: onQuotaEvent(['quota.woken'], (_context, { first }) => ({
    context: first === undefined ? {} : { probe: first },
  })),
  answered: () => ({ context: { closed: null, failures: 0, failing: undefined } }),
  forgetUse: () => ({ context: { use: null } }),
  wakeWave: ({ pool: accountId, wave }: QuotaContext) => ({
    effects: [wakeWaitingJobs(accountId, wave)],
  }),
  planWave: ({ wave, ...context }: QuotaContext, event: QuotaEvent) => ({
    context: { wave: wave * 2 },
    effects: [setDueTimer(toEventTime(context, event) + WAVE_MS)],
  }),
  open: () => ({ context: { closed: null, wave: 1 } }),
};

const quotaSetup = setup({
  types: {
    context: {} as QuotaContext,
    events: {} as QuotaEvent,
    input: {} as QuotaInput,
    meta: {} as { waits: string },
  },
  guards,
  actions: {
    'quota.wake': createEffectAction<Effects['quota.wake']>(),
    'timer.set': createEffectAction<Effects['timer.set']>(),
    'timer.cancel': createEffectAction<Effects['timer.cancel']>(),
  },
}).extend({ actions: createChangeActions<QuotaContext, QuotaEvent, Effect>()(changes) });

const hit = [
  { guard: 'moneyIsMissing', target: 'billing', actions: 'close' },
  { guard: 'limitIsShort', target: 'throttled', actions: 'close' },
  { guard: 'limitLasts', target: 'exhausted', actions: 'close' },
] as const;
const hitByProbe = [
  { guard: 'moneyIsMissing', target: 'billing', actions: ['failProbe', 'close'] },
  { guard: 'limitIsShort', target: 'throttled', actions: ['failProbe', 'close'] },
  { guard: 'limitLasts', target: 'exhausted', actions: ['failProbe', 'close'] },
] as const;
/** A further limit during a limit: the one that ends last counts. */
const hitAgain = [{ guard: 'endsSooner' }, ...hit] as const;
const failureTransitions = [
  { guard: 'keepsFailing', target: 'failing', actions: ['countFailure', 'closeForFailure'] },
  { actions: 'countFailure' },
] as const;
const failedByProbe = [
  {
    guard: 'keepsFailing',
    target: 'failing',
    actions: ['countFailure', 'failProbe', 'closeForFailure'],
  },
  { actions: 'countFailure' },
] as const;
const cancelTimer = { type: 'timer.cancel', params: { name: TIMER } } as const;

/**
 * One pool: an account at the endpoint of a model, with all sessions that use it. Slots ask it in
 * the commit that grants; jobs that it does not let through wait in `parked.quota`.
 *
 * **open** - takes sessions. On entry nothing waits for it. It keeps how full the account is:
 * from 90 % on no new job without a person starts, from 97 % no phase; a timer (`quota.room`) is set
 * for the time at which that window begins again. Leaves: a limit → throttled, exhausted or billing;
 * that timer, room again, a person who opens it, or a job that waits although nothing holds it →
 * waking; sessions of more than one job that end at once with an error, one after another →
 * failing.
 *
 * **throttled** - in it while the endpoint takes no requests for minutes: too many of late, or it
 * has too much to do. Sessions that run wait by themselves; none starts. **exhausted** - in it
 * while a window of hours or days is used up. Sessions that run end at the next tool boundary. On
 * entry of both a timer is set for the reset plus 5 to 30 s. A further limit counts when it ends
 * later. Leaves: the timer → probing; missing money → billing; a person who opens it → probing.
 *
 * **billing** - in it while the account is unpaid. No timer: only a person changes that. Leaves: a
 * person who opens it → probing; an answer to a session that a person has resumed → waking.
 *
 * **failing** - in it while sessions of the account end at once with an error, such as where its
 * key is refused: no session starts, and those that run continue. On entry a timer is set for 15
 * minutes, doubling to 5 hours. Leaves: the timer, or a person who opens it → probing; a limit that
 * ends later → throttled, exhausted or billing.
 *
 * **probing** - in it while one job tries whether the limit is over. On entry the first job that
 * waits is woken and a timer set; a job that was woken before waits again when its turn comes.
 * Leaves: an answer → waking; a limit → throttled, exhausted or billing, for longer than before; an
 * error at once, where that had closed it → failing, for longer; no job waits → open, and the next
 * session is the probe; the timer, when that job has asked nothing → probing with the next one, or
 * with the same one as long as it waits for its turn.
 *
 * **waking** - in it while jobs are woken in waves, every 10 s: 1, 2, 4 and so on. Leaves: no job
 * waits any more → open; a limit → throttled, exhausted or billing; errors as in open →
 * failing.
 */
export const quotaMachine = makeOnFirstUse(() =>
  quotaSetup.createMachine({
    id: 'quota',
    context: ({ input }) => ({ ...input, closed: null, use: null, failures: 0, wave: 1 }),
    initial: 'open',
    on: {
      'quota.seen': { actions: 'see' },
      'quota.room': { actions: 'forgetUse' },
      'quota.worked': { actions: 'forgetFailures' },
    },
    states: {
      open: {
        meta: { waits: 'for nothing: sessions may start' },
        entry: 'open',
        on: {
          'quota.hit': hit,
          'quota.failed': failureTransitions,
          'quota.seen': [
            { guard: 'hasRoomAgain', target: 'waking', actions: 'see' },
            { actions: 'see' },
          ],
          'quota.waits': { guard: 'hasRoom', target: 'waking' },
          'quota.room': { target: 'waking', actions: 'forgetUse' },
          'quota.answered': { actions: 'answered' },
          'quota.opened': { target: 'waking', actions: 'forgetUse' },
        },
      },
      throttled: {
        meta: { waits: 'until the endpoint takes requests again, in minutes' },
        exit: cancelTimer,
        on: {
          'quota.hit': hitAgain,
          'quota.due': 'probing',
          'quota.opened': 'probing',
        },
      },
      exhausted: {
        meta: { waits: 'until the window that is used up begins again' },
        exit: cancelTimer,
        on: {
          'quota.hit': hitAgain,
          'quota.due': 'probing',
          'quota.opened': 'probing',
        },
      },
      billing: {
        meta: { waits: 'for a person: the account is unpaid' },
        on: {
          'quota.answered': { target: 'waking', actions: 'answered' },
          'quota.opened': 'probing',
        },
      },
      failing: {
        meta: { waits: 'until it is tried again whether sessions of the account still fail' },
        exit: cancelTimer,
        on: {
          'quota.hit': hitAgain,
          'quota.due': 'probing',
          'quota.opened': 'probing',
        },
      },
      probing: {
        meta: { waits: 'for the answer to one session' },
        entry: 'probe',
        exit: cancelTimer,
        on: {
          'quota.answered': { target: 'waking', actions: 'answered' },
          'quota.hit': hitByProbe,
          'quota.failed': failedByProbe,
          'quota.woken': [{ guard: 'noneWasWoken', target: 'open' }, { actions: 'nameProbe' }],
          'quota.due': { target: 'probing', reenter: true },
          'effect.givenUp': { target: 'probing', reenter: true },
        },
      },
      waking: {
        meta: { waits: 'for the next wave of jobs' },
        entry: 'wakeWave',
        exit: cancelTimer,
        on: {
          'quota.hit': hit,
          'quota.failed': failureTransitions,
          'quota.answered': { actions: 'answered' },
          'quota.woken': [{ guard: 'noneWaits', target: 'open' }, { actions: 'planWave' }],
          'quota.due': { target: 'waking', reenter: true },
          'effect.givenUp': { actions: 'planWave' },
        },
      },
    },
    options: { maxIterations: MAX_MICROSTEPS },
  }),
);
