import { stateIn } from 'xstate';
import type { SteeringContext } from './steeringEvents.ts';
import { ACK_MS, GIVE_UP_MS } from './steeringLimits.ts';
import { steeringSetup } from './steeringSetup.ts';

const GO_ON = 'Go on with your work; nothing has changed.';
const RETRY =
  '[control] The tool server could not be reached for a moment. If a call of yours got no answer, make it again unchanged: what was done is not done twice.';

const control = (line: string) => ({ type: 'control' as const, params: { line } });
const OFFER_LOST = control(
  'a message could not be written down as offered; it waits for the next session',
);

const turn = steeringSetup.createStateConfig({
  initial: 'running',
  states: {
    running: {
      initial: 'answering',
      meta: { waits: 'for the agent to end its turn' },
      states: {
        answering: {
          always: { guard: 'mayFold', target: 'folding' },
          on: { 'turn.ended': { target: '#turn.between', actions: 'noteStop' } },
        },
        folding: {
          entry: 'takeFolded',
          // The offer is committed already: the message has to go in, even when the turn ends
          // meanwhile.
          on: { 'turn.ended': { actions: 'noteStop' } },
          invoke: {
            src: 'offer',
            input: ({ context }) => offered(context),
            onDone: [
              {
                guard: 'turnIsOver',
                target: 'answering',
                actions: [
                  'beginTurn',
                  { type: 'send', params: ({ event }) => ({ messages: event.output }) },
                  'forgetOffering',
                ],
              },
              {
                target: 'answering',
                actions: [
                  { type: 'send', params: ({ event }) => ({ messages: event.output }) },
                  'forgetOffering',
                ],
              },
            ],
            onError: [
              {
                guard: 'turnIsOver',
                target: '#turn.between',
                actions: ['forgetOffering', OFFER_LOST],
              },
              { target: 'answering', actions: ['forgetOffering', OFFER_LOST] },
            ],
          },
        },
      },
    },
    between: {
      meta: { waits: 'for an interrupt that is on its way, before anything else is said' },
      always: [
        { guard: 'broke', target: 'closed' },
        { guard: 'hasWaiting', target: 'offering' },
        {
          guard: 'isUndone',
          target: 'running',
          actions: ['countNudge', 'beginTurn', { type: 'nudge', params: { text: GO_ON } }],
        },
        { guard: 'isEmpty', target: 'closed' },
      ],
    },
    offering: {
      meta: { waits: 'for the offer of the messages to be written down' },
      entry: 'takeTurn',
      invoke: {
        src: 'offer',
        input: ({ context }) => offered(context),
        onDone: [
          {
            guard: ({ event }) => event.output.length > 0,
            target: 'running',
            actions: [
              'beginTurn',
              { type: 'send', params: ({ event }) => ({ messages: event.output }) },
              'forgetOffering',
            ],
          },
          { target: 'between', actions: 'forgetOffering' },
        ],
        onError: { target: 'between', actions: ['forgetOffering', OFFER_LOST] },
      },
    },
    closed: {
      id: 'closed',
      meta: { waits: 'for the session to end' },
      entry: 'closeInput',
    },
  },
  id: 'turn',
});

const interrupt = steeringSetup.createStateConfig({
  id: 'interrupt',
  initial: 'idle',
  states: {
    idle: {
      always: { guard: 'wantsInterrupt', target: 'asked' },
      on: { 'answer.lost': { target: 'healing', actions: ['noteLost', 'holdTools'] } },
    },
    asked: {
      meta: { waits: 'for the agent to acknowledge the interrupt' },
      entry: [
        'noteInterrupt',
        'noteAsking',
        'holdTools',
        control('the agent is interrupted for a message'),
      ],
      invoke: {
        src: 'interrupt',
        input: { ackMs: ACK_MS },
        onDone: [
          { guard: ({ event }) => event.output, target: 'healing', actions: 'noteAnswered' },
          { target: 'overdue' },
        ],
        onError: 'overdue',
      },
      after: { ACK: 'overdue' },
    },
    overdue: {
      meta: { waits: 'for the agent to acknowledge the interrupt, asked a second time' },
      entry: control(`no acknowledgement of the interrupt within ${ACK_MS / 1000} s; asked again`),
      invoke: {
        src: 'interrupt',
        input: { ackMs: GIVE_UP_MS - ACK_MS },
        onDone: [
          { guard: ({ event }) => event.output, target: 'healing', actions: 'noteAnswered' },
          { target: 'unanswered' },
        ],
        onError: 'unanswered',
      },
      after: { GIVE_UP: 'unanswered' },
    },
    unanswered: {
      meta: { waits: 'for the turn to end by itself: the agent did not acknowledge the interrupt' },
      entry: [
        'noteAnswered',
        'releaseTools',
        control(
          `timeout: no acknowledgement of the interrupt within ${GIVE_UP_MS / 1000} s; the message stays queued`,
        ),
      ],
      always: { guard: 'turnIsOver', target: 'idle' },
    },
    healing: {
      meta: { waits: 'for the tool server to be reached again; calls are held' },
      exit: 'releaseTools',
      invoke: {
        src: 'heal',
        input: null,
        onDone: [
          {
            guard: ({ context, event }) => event.output && mayRetry(context),
            target: 'idle',
            actions: { type: 'nudge', params: { text: RETRY } },
          },
          { guard: ({ event }) => event.output, target: 'idle' },
          {
            target: 'idle',
            actions: control('the agent does not reach its tool server; it goes on without it'),
          },
        ],
        onError: { target: 'idle', actions: control('the tool server could not be looked after') },
      },
      after: {
        HEAL: {
          target: 'idle',
          actions: control('the agent took too long to reach its tool server again'),
        },
      },
    },
  },
});

const mayRetry = ({ folds, lastStop, healing }: SteeringContext): boolean =>
  folds && lastStop === null && healing === 'lost answer';

const offered = ({ offering }: SteeringContext) => {
  if (offering === null) throw new Error('nothing is being offered');
  return offering;
};

/**
 * Steering of one running session, as prose. A live actor: it begins and ends with its session and
 * is never stored; what has to outlive it (which message was offered, read) goes through its ports
 * into the journal of the job.
 *
 * **live** - in it while the session works. Both regions count calls of tool servers and take
 * messages: one that comes while a tool is at work is `safe`, every other one `urgent`. Leaves:
 * `stop` → stopping; `session.ended` → over.
 *
 * **live.turn.running.answering** - in it while the agent answers. Leaves: messages that are all
 * safe, where the executor folds → folding; `turn.ended` → between.
 *
 * **live.turn.running.folding** - in it while an offer within the turn is written down; then the
 * messages are sent. A turn that ends meanwhile is begun anew by them. Leaves: → answering; when it
 * could not be written and the turn is over → between.
 *
 * **live.turn.between** - eventless, but for an interrupt that is not acknowledged yet: it could
 * hit what is sent now. Leaves: the turn ended with an error → closed, what waits is for the next
 * session; messages wait → offering; the turn was interrupted or left undone (tool_use, pause_turn)
 * → running, asked to go on, at most 10 times in a row; else → closed.
 *
 * **live.turn.offering** - in it while the offer of all that waits is written down. Leaves: sent →
 * running; all of it superseded, or not written → between.
 *
 * **live.turn.closed** - the input is closed; the session ends. A message that comes now is not
 * taken: it stays in the inbox.
 *
 * **live.interrupt.idle** - Leaves: an urgent message while a turn runs that was not interrupted
 * yet, and no tool at work → asked; an answer of a tool that could not be given back → healing.
 *
 * **live.interrupt.asked** - in it while the agent has not acknowledged the interrupt. On entry
 * calls of tools are held. Leaves: acknowledged → healing; not within 5 s → overdue.
 *
 * **live.interrupt.overdue** - the same a second time. Leaves: acknowledged → healing; not within
 * 10 s of the first → unanswered.
 *
 * **live.interrupt.unanswered** - on entry a `[control]` timeout line; calls go on. The message
 * stays queued. Leaves: the turn is over → idle.
 *
 * **live.interrupt.healing** - in it while the executor looks whether its agent reaches the tool
 * server, at most 10 s. Calls are held until it is left. Leaves: → idle, after a lost answer with a
 * nudge to repeat the call.
 *
 * **stopping.interrupting** - in it while the turn is interrupted for a pause, a cancel or the end
 * of the runner: also while a tool is at work. Leaves: acknowledged, or not within 5 s →
 * stopping.closing.
 *
 * **stopping.closing** - on entry the input is closed and the session ended, by force where it must
 * be. Leaves: `session.ended` → over.
 *
 * **over** - final.
 */
export const steeringMachine = steeringSetup.createMachine({
  id: 'steering',
  context: ({ input }) => ({
    folds: input.folds,
    queue: [],
    offering: null,
    calls: 0,
    doing: null,
    lastStop: null,
    interrupted: null,
    asking: false,
    nudges: 0,
    healing: 'interrupt',
  }),
  initial: 'live',
  on: {
    'call.began': { actions: 'countCall' },
    'call.ended': { actions: 'uncountCall' },
    doing: { actions: 'noteDoing' },
    'session.ended': '.over',
  },
  states: {
    live: {
      type: 'parallel',
      on: {
        message: [
          {
            guard: stateIn('#closed'),
            actions: control('the session is ending; the message waits for the next one'),
          },
          { guard: 'toolAtWork', actions: 'queueSafe' },
          { actions: 'queueUrgent' },
        ],
        stop: 'stopping',
      },
      states: { turn, interrupt },
    },
    stopping: {
      initial: 'interrupting',
      states: {
        interrupting: {
          meta: { waits: 'for the agent to acknowledge that it is interrupted' },
          invoke: {
            src: 'interrupt',
            input: { ackMs: ACK_MS },
            onDone: 'closing',
            onError: 'closing',
          },
          after: { ACK: 'closing' },
        },
        closing: { meta: { waits: 'for the session to end' }, entry: ['closeInput', 'endSession'] },
      },
    },
    over: { type: 'final' },
  },
});
