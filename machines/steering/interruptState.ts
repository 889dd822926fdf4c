import type { SteeringContext } from './steeringEvents.ts';
import { ACK_MS, GIVE_UP_MS, steeringSetup } from './steeringSetup.ts';

export const RETRY =
  '[control] The tool server could not be reached for a moment. If a call of yours got no answer, make it again unchanged: what was done is not done twice.';

export const logControlLine = (line: string) => ({ type: 'control' as const, params: { line } });

export const mayRetry = ({ folds, lastStop, healing }: SteeringContext): boolean =>
  folds && lastStop === null && healing === 'lost answer';

export const interrupt = steeringSetup.createStateConfig({
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
        logControlLine('the agent is interrupted for a message'),
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
      entry: logControlLine(
        `no acknowledgement of the interrupt within ${ACK_MS / 1000} s; asked again`,
      ),
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
        logControlLine(
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
            actions: logControlLine(
              'the agent does not reach its tool server; it continues without it',
            ),
          },
        ],
        onError: {
          target: 'idle',
          actions: logControlLine('the tool server could not be looked after'),
        },
      },
      after: {
        HEAL: {
          target: 'idle',
          actions: logControlLine('the agent took too long to reach its tool server again'),
        },
      },
    },
  },
});
