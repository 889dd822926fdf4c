import type { SteeringContext } from './steeringEvents.ts';
import { steeringSetup } from './steeringSetup.ts';
import { logControlLine } from './interruptState.ts';

const CONTINUE = 'Continue with your work; nothing has changed.';
const EMPTY =
  'Your last answer held neither text nor a tool call. Continue with your work. If it is done, or you cannot continue, say so in one sentence.';
const OFFER_LOST = logControlLine(
  'a message could not be written down as offered; it waits for the next session',
);

export const turn = steeringSetup.createStateConfig({
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
          // The offer is committed: the message must go in even if the turn ends meanwhile.
          on: { 'turn.ended': { actions: 'noteStop' } },
          invoke: {
            src: 'offer',
            input: ({ context }) => requireOffering(context),
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
          actions: ['countNudge', 'beginTurn', { type: 'nudge', params: { text: CONTINUE } }],
        },
        {
          guard: 'saidNothing',
          target: 'running',
          actions: ['noteAskedAgain', 'beginTurn', { type: 'nudge', params: { text: EMPTY } }],
        },
        { guard: 'isEmpty', target: 'closed' },
      ],
    },
    offering: {
      meta: { waits: 'for the offer of the messages to be written down' },
      entry: 'takeTurn',
      invoke: {
        src: 'offer',
        input: ({ context }) => requireOffering(context),
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

const requireOffering = ({ offering }: SteeringContext) => {
  if (offering === null) throw new Error('nothing is being offered');
  return offering;
};
