import { stateIn } from 'xstate';
import { ACK_MS, steeringSetup } from './steeringSetup.ts';
import { interrupt, logControlLine } from './interruptState.ts';
import { turn } from './turnState.ts';
import { makeOnFirstUse } from '../../src/base/concurrency/makeOnFirstUse.ts';

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
 * **live.turn.running.folding** - in it while an offer within the turn is recorded; then the
 * messages are sent. They start a turn that ends meanwhile again. Leaves: → answering; when it
 * could not be written and the turn is over → between.
 *
 * **live.turn.between** - eventless, but for an interrupt that is not acknowledged yet: it could
 * hit what is sent now. Leaves: the turn ended with an error → closed, what waits is for the next
 * session; messages wait → offering; the turn was interrupted or left undone (tool_use, pause_turn)
 * → running, asked to continue, at most 10 times in a row; its last answer was empty → running, asked
 * once more; else → closed.
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
 * **live.interrupt.unanswered** - on entry a `[control]` timeout line; calls continue. The message
 * stays queued. Leaves: the turn is over → idle.
 *
 * **live.interrupt.healing** - in it while the executor checks whether its agent reaches the tool
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
export const steeringMachine = makeOnFirstUse(() =>
  steeringSetup.createMachine({
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
      askedAgain: false,
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
              actions: logControlLine('the session is ending; the message waits for the next one'),
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
          closing: {
            meta: { waits: 'for the session to end' },
            entry: ['closeInput', 'endSession'],
          },
        },
      },
      over: { type: 'final' },
    },
  }),
);
