import { assign, fromPromise, setup } from 'xstate';
import type { Message, Offering, SteeringActs, SteeringPorts } from './ports.ts';
import type { SteeringContext, SteeringEvent } from './steeringEvents.ts';
import type { TurnStop } from '../../src/base/jobs/stopReasons.ts';

/** Wait for an agent's acknowledgement before the interrupt is repeated, ms. */
export const ACK_MS = 5_000;
/** From the first interrupt, ms: afterwards the message waits until the turn ends by itself. */
export const GIVE_UP_MS = 10_000;
/** Longest check of the tool server, with calls held, ms. */
const HEAL_MS = 10_000;
/** Most turns in a row continued without a new message; then the input closes. */
const MAX_NUDGES = 10;

/** After these the input stays open without a new message, because the agent was not done. */
const UNDONE: ReadonlySet<TurnStop> = new Set(['interrupted', 'tool_use', 'pause_turn']);

const isTurnUnfinished = (stopReason: TurnStop | null): boolean =>
  stopReason !== null && UNDONE.has(stopReason);

/** Throws when the caller runs the chart without providing this port. */
const rejectMissingSteeringPort = <Output, Input>(name: string) =>
  fromPromise<Output, Input>(() => Promise.reject(new Error(`the port ${name} is not provided`)));

const ignoreSteeringEffect = (): void => {};
const ignoreControlEffect = (_args: unknown, _params: SteeringActs['control']): void => {};
const ignoreSendEffect = (_args: unknown, _params: SteeringActs['send']): void => {};
const ignoreNudgeEffect = (_args: unknown, _params: SteeringActs['nudge']): void => {};

/** Offers everything that waits, as a new turn or folded into the running one. */
function createOffering(
  { queue, lastStop, interrupted }: SteeringContext,
  turnRuns: boolean,
): Offering {
  const messages = queue.map(({ id, text }) => ({ id, text }));
  if (turnRuns) return { messages, how: 'folded', interrupted: null };
  return lastStop === 'interrupted' && interrupted !== null
    ? { messages, how: 'interrupt', interrupted }
    : { messages, how: 'next-turn', interrupted: null };
}

export const steeringSetup = setup({
  types: {
    context: {} as SteeringContext,
    events: {} as SteeringEvent,
    input: {} as { folds: boolean },
    meta: {} as { waits: string },
  },
  actors: {
    offer: rejectMissingSteeringPort<readonly Message[], SteeringPorts['offer']>('offer'),
    interrupt: rejectMissingSteeringPort<boolean, SteeringPorts['interrupt']>('interrupt'),
    heal: rejectMissingSteeringPort<boolean, SteeringPorts['heal']>('heal'),
  },
  actions: {
    send: ignoreSendEffect,
    /** Asks the agent to continue or repeat a call; not a user message. */
    nudge: ignoreNudgeEffect,
    /** Makes calls of the tool server wait. */
    holdTools: ignoreSteeringEffect,
    releaseTools: ignoreSteeringEffect,
    /** Writes a log line with the tag `control`. */
    control: ignoreControlEffect,
    /** Closes the input: the session ends after the turn. */
    closeInput: ignoreSteeringEffect,
    /** Ends the session: politely, then by force. */
    endSession: ignoreSteeringEffect,

    queueSafe: assign(({ context, event }) =>
      event.type === 'message'
        ? { queue: [...context.queue, { ...event.message, mode: 'safe' as const }] }
        : {},
    ),
    queueUrgent: assign(({ context, event }) =>
      event.type === 'message'
        ? { queue: [...context.queue, { ...event.message, mode: 'urgent' as const }] }
        : {},
    ),
    countCall: assign(({ context }) => ({ calls: context.calls + 1 })),
    uncountCall: assign(({ context }) => ({ calls: Math.max(0, context.calls - 1) })),
    noteDoing: assign(({ event }) => (event.type === 'doing' ? { doing: event.what } : {})),
    noteStop: assign(({ context, event }) =>
      event.type === 'turn.ended'
        ? {
            lastStop: event.stopReason,
            doing: null,
            askedAgain: context.askedAgain && event.stopReason === 'empty',
          }
        : {},
    ),
    noteAskedAgain: assign({ askedAgain: true }),
    noteInterrupt: assign(({ context }) => ({
      interrupted: context.doing ?? 'its answer',
      healing: 'interrupt' as const,
    })),
    noteAsking: assign({ asking: true }),
    noteAnswered: assign({ asking: false }),
    noteLost: assign({ healing: 'lost answer' as const }),
    takeTurn: assign({
      offering: ({ context }) => createOffering(context, false),
      queue: [],
      nudges: 0,
    }),
    takeFolded: assign({ offering: ({ context }) => createOffering(context, true), queue: [] }),
    forgetOffering: assign({ offering: null }),
    beginTurn: assign({ lastStop: null, interrupted: null }),
    countNudge: assign(({ context }) => ({ nudges: context.nudges + 1 })),
  },
  guards: {
    toolAtWork: ({ context }) => context.calls > 0,
    hasWaiting: ({ context: { queue, asking } }) => queue.length > 0 && !asking,
    /** All waiting messages came while a tool was at work, and the executor folds. */
    mayFold: ({ context: { folds, queue } }) =>
      folds && queue.length > 0 && queue.every(({ mode }) => mode === 'safe'),
    wantsInterrupt: ({ context: { queue, interrupted, calls, lastStop } }) =>
      lastStop === null &&
      interrupted === null &&
      calls === 0 &&
      queue.some(({ mode }) => mode === 'urgent'),
    saidNothing: ({ context: { queue, lastStop, askedAgain } }) =>
      queue.length === 0 && lastStop === 'empty' && !askedAgain,
    isUndone: ({ context: { queue, lastStop, nudges } }) =>
      queue.length === 0 && isTurnUnfinished(lastStop) && nudges < MAX_NUDGES,
    broke: ({ context: { lastStop } }) => lastStop === 'error',
    isEmpty: ({ context: { queue } }) => queue.length === 0,
    turnIsOver: ({ context: { lastStop } }) => lastStop !== null,
  },
  delays: { ACK: ACK_MS, GIVE_UP: GIVE_UP_MS - ACK_MS, HEAL: HEAL_MS },
});
