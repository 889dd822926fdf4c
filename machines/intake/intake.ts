import type { IntakeContext } from './intakeEvents.ts';
import { intakeSetup } from './intakeSetup.ts';
import { makeOnFirstUse } from '../../src/base/concurrency/makeOnFirstUse.ts';

const selectRunningTurn = ({ context: { turn } }: { context: IntakeContext }) => ({ turn });

/**
 * One plan-mode chat, as prose. A live actor: it is made when a developer says something and is
 * forgotten when nothing has been said for long; what has to outlive it (messages, answers,
 * look-ups, findings) is in rows. A request only watches it.
 *
 * **idle** - nothing runs. Leaves: closing → over; a turn waits → opening.
 *
 * **opening** - in it while system prompt and conversation are read; the message of the turn is
 * stored already. Leaves: stopped meanwhile → settling; it fits into the window → asking; else →
 * folding; what it needs could not be read → settling as an error.
 *
 * **folding** - in it while the conversation is shortened, at most once a turn. Leaves: stopped
 * meanwhile → settling; → asking; it frees too little → settling as an error.
 *
 * **asking.waiting** - in it while the model has said nothing since it was asked. Leaves: the first
 * part of an answer → streaming.
 *
 * **asking.streaming** - in it while an answer comes.
 *
 * **asking.closing** - in it after the last round of look-ups: the model is asked once more, for
 * its closing words. It can look at nothing more.
 *
 * **asking** - Leaves: a look-up begins → looking; the executor ends the turn → settling; a stop →
 * stopping.
 *
 * **looking** - in it while look-ups run. Leaves: the last one is over → asking.waiting, or
 * asking.closing where no rounds are left; the executor ends the turn → settling; a stop →
 * stopping.
 *
 * **stopping** - on entry the executor is asked to stop. Leaves: it has → settling; not within 5 s →
 * settling, and what it still says is dropped.
 *
 * **settling** - in it while the turn is stored: answer, evidence, readiness, findings, counters.
 * Leaves: → idle, also where it could not be stored: the turn then counts as lost at the next
 * start.
 *
 * **over** - final.
 */
export const intakeMachine = makeOnFirstUse(() =>
  intakeSetup.createMachine({
    id: 'intake',
    context: ({ input: { maxRounds } }) => ({
      maxRounds,
      queue: [],
      turn: 0,
      rounds: 0,
      lookups: 0,
      fits: true,
      stopped: false,
      end: null,
      closing: false,
    }),
    initial: 'idle',
    on: {
      'turn.asked': { actions: 'queueTurn' },
      stop: { actions: 'noteStopped' },
      close: { actions: 'noteClosing' },
    },
    states: {
      idle: {
        meta: { waits: 'for the developer to say something' },
        always: [
          { guard: 'isClosing', target: 'over' },
          { guard: 'hasTurn', target: 'opening', actions: 'takeTurn' },
        ],
      },
      opening: {
        meta: { waits: 'for what the turn needs to be read' },
        invoke: {
          src: 'open',
          input: selectRunningTurn,
          onDone: {
            target: 'opened',
            actions: { type: 'noteFit', params: ({ event }) => ({ fits: event.output }) },
          },
          onError: { target: 'settling', actions: 'noteFailed' },
        },
      },
      opened: {
        always: [
          { guard: 'isStopped', target: 'settling', actions: 'noteInterrupted' },
          {
            guard: 'windowFits',
            target: 'asking',
            actions: { type: 'ask', params: selectRunningTurn },
          },
          { target: 'folding' },
        ],
      },
      folding: {
        meta: { waits: 'for the conversation to be shortened' },
        invoke: {
          src: 'fold',
          input: selectRunningTurn,
          onDone: [
            { guard: 'isStopped', target: 'settling', actions: 'noteInterrupted' },
            { target: 'asking', actions: { type: 'ask', params: selectRunningTurn } },
          ],
          onError: { target: 'settling', actions: 'noteFailed' },
        },
      },
      asking: {
        initial: 'waiting',
        on: {
          'lookup.began': { target: 'looking', actions: ['noteRound', 'countLookup'] },
          'turn.ended': { target: 'settling', actions: 'noteEnd' },
          stop: 'stopping',
          close: { target: 'stopping', actions: 'noteClosing' },
        },
        states: {
          waiting: {
            meta: { waits: 'for the model to begin its answer' },
            on: { 'answer.came': 'streaming' },
          },
          streaming: { meta: { waits: 'for the answer of the model' } },
          closing: {
            meta: { waits: 'for the closing words of the model: no rounds are left' },
          },
        },
      },
      looking: {
        meta: { waits: 'for what the model looks up' },
        on: {
          'lookup.began': { actions: ['noteRound', 'countLookup'] },
          'lookup.ended': [
            { guard: 'isOtherAtWork', actions: 'uncountLookup' },
            { guard: 'roundsLeft', target: 'asking', actions: 'uncountLookup' },
            { target: 'asking.closing', actions: 'uncountLookup' },
          ],
          'turn.ended': { target: 'settling', actions: 'noteEnd' },
          stop: 'stopping',
          close: { target: 'stopping', actions: 'noteClosing' },
        },
      },
      stopping: {
        meta: { waits: 'for the executor to stop' },
        entry: 'abort',
        on: { 'turn.ended': { target: 'settling', actions: 'noteEnd' } },
        after: { STOP: { target: 'settling', actions: 'noteOverdue' } },
      },
      settling: {
        meta: { waits: 'for the turn to be stored' },
        invoke: {
          src: 'settle',
          input: ({ context: { turn, end } }) => ({ turn, end: end ?? 'error' }),
          onDone: { target: 'idle', actions: 'forgetTurn' },
          onError: { target: 'idle', actions: ['reportLoss', 'forgetTurn'] },
        },
      },
      over: { type: 'final' },
    },
  }),
);
