import type { DurableChart } from '../src/kernel/chart.ts';
import { steeringMachine } from './steering/steering.ts';
import { intakeMachine } from './intake/intake.ts';
import { pollerMachine } from './poller/poller.ts';

/** A chart beside the durable ones, never stored: its purpose, and who sends its events. */
export type LiveChart = Pick<DurableChart, 'id' | 'machine' | 'senders' | 'guards' | 'about'>;

const executor = 'the executor';
const runner = 'the runner';
const toolServer = 'the tool server';

export const liveCharts: readonly LiveChart[] = [
  {
    id: 'steering',
    about:
      'One running session and those who talk to it: messages are offered, the agent is interrupted, its tools are held and looked after.',
    get machine() {
      return steeringMachine();
    },
    senders: {
      message: 'a developer',
      'call.began': toolServer,
      'call.ended': toolServer,
      'answer.lost': toolServer,
      doing: executor,
      'turn.ended': executor,
      'session.ended': executor,
      stop: runner,
    },
    guards: {
      toolAtWork: { readsEvent: false, says: 'a tool of a server works for the agent' },
      hasWaiting: { readsEvent: false, says: 'a message waits, and no interrupt is on its way' },
      mayFold: {
        readsEvent: false,
        says: 'the executor folds, and every message that waits came while a tool was at work',
      },
      wantsInterrupt: {
        readsEvent: false,
        says: 'an urgent message waits, the turn was not interrupted yet, and no tool is at work',
      },
      isUndone: {
        readsEvent: false,
        says: 'the turn was interrupted or left undone, and no message waits',
      },
      broke: { readsEvent: false, says: 'the turn ended with an error' },
      isEmpty: { readsEvent: false, says: 'no message waits' },
      turnIsOver: { readsEvent: false, says: 'the turn is over' },
    },
  },
  {
    id: 'poller',
    about:
      'Asks one remote forge for news of pull requests again and again, later after failures, never before the forge wants to be asked.',
    get machine() {
      return pollerMachine();
    },
    senders: { 'poll.now': 'a webhook', 'interval.set': 'a change of the configuration' },
    guards: {},
  },
  {
    id: 'intake',
    about:
      'One plan-mode chat: a turn is opened, the model is asked, looks things up, is stopped, and what the turn has brought is stored.',
    get machine() {
      return intakeMachine();
    },
    senders: {
      'turn.asked': 'a developer',
      'answer.came': executor,
      'lookup.began': executor,
      'lookup.ended': runner,
      'turn.ended': executor,
      stop: 'a developer',
      close: runner,
    },
    guards: {
      isClosing: {
        readsEvent: false,
        says: 'the conversation is removed, or the runner is stopping',
      },
      hasTurn: { readsEvent: false, says: 'a turn waits' },
      isStopped: { readsEvent: false, says: 'the turn was stopped before the model was asked' },
      windowFits: {
        readsEvent: false,
        says: 'the conversation leaves room in the window of the model',
      },
      isOtherAtWork: { readsEvent: false, says: 'another look-up is still running' },
      roundsLeft: { readsEvent: false, says: 'fewer rounds of look-ups were made than a turn has' },
    },
  },
];
