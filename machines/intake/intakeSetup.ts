import { assign, fromPromise, setup } from 'xstate';
import { STOP_CHAT_MS } from '../../src/base/limits/intakeLimits.ts';
import type { IntakeContext, IntakeEvent } from './intakeEvents.ts';
import type { IntakeActs, IntakePorts } from './ports.ts';

/** Throws when the caller runs the chart without providing this port. */
const rejectMissingIntakePort = <Output, Input>(name: string) =>
  fromPromise<Output, Input>(() => Promise.reject(new Error(`the port ${name} is not provided`)));

const ignoreIntakeEffect = (): void => {};
const ignoreAskEffect = (_args: unknown, _params: IntakeActs['ask']): void => {};

export const intakeSetup = setup({
  types: {
    context: {} as IntakeContext,
    events: {} as IntakeEvent,
    input: {} as { maxRounds: number },
    meta: {} as { waits: string },
  },
  actors: {
    open: rejectMissingIntakePort<boolean, IntakePorts['open']>('open'),
    fold: rejectMissingIntakePort<void, IntakePorts['fold']>('fold'),
    settle: rejectMissingIntakePort<void, IntakePorts['settle']>('settle'),
  },
  actions: {
    ask: ignoreAskEffect,
    abort: ignoreIntakeEffect,
    /** Reports that the outcome of the turn could not be stored. */
    reportLoss: ignoreIntakeEffect,

    queueTurn: assign(({ context, event }) =>
      event.type === 'turn.asked' ? { queue: [...context.queue, event.turn] } : {},
    ),
    takeTurn: assign(({ context: { queue } }) => ({
      turn: queue[0] ?? 0,
      queue: queue.slice(1),
      rounds: 0,
      lookups: 0,
      fits: true,
      stopped: false,
      end: null,
    })),
    noteFit: assign((_, params: { fits: boolean }) => params),
    noteStopped: assign({ stopped: true }),
    noteRound: assign(({ context, event }) =>
      event.type === 'lookup.began' ? { rounds: Math.max(context.rounds, event.round) } : {},
    ),
    countLookup: assign(({ context }) => ({ lookups: context.lookups + 1 })),
    uncountLookup: assign(({ context }) => ({ lookups: Math.max(0, context.lookups - 1) })),
    noteEnd: assign(({ event }) => (event.type === 'turn.ended' ? { end: event.end } : {})),
    noteInterrupted: assign({ end: 'interrupted' as const }),
    noteOverdue: assign({ end: 'overdue' as const }),
    noteFailed: assign({ end: 'error' as const }),
    forgetTurn: assign({ turn: 0, end: null }),
    noteClosing: assign({ closing: true }),
  },
  guards: {
    isClosing: ({ context }) => context.closing,
    hasTurn: ({ context }) => context.queue.length > 0,
    isStopped: ({ context }) => context.stopped || context.closing,
    windowFits: ({ context }) => context.fits,
    isOtherAtWork: ({ context }) => context.lookups > 1,
    roundsLeft: ({ context }) => context.rounds < context.maxRounds,
  },
  delays: { STOP: STOP_CHAT_MS },
});
