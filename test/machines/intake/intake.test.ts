import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type AnyStateNode, createActor, fromPromise } from 'xstate';
import {
  intakeMachine,
  type IntakeEvent,
  liveCharts,
  type TurnEnd,
} from '../../../machines/index.ts';
import { createActorClock } from '../../../src/base/time/createActorClock.ts';
import { STOP_CHAT_MS } from '../../../src/base/limits/intakeLimits.ts';
import { SimulatedClock } from '../../support/charts/simulatedClock.ts';

const test = suite('intake chart');

interface Waiting {
  port: string;
  settle(output: unknown): void;
  fail(error: Error): void;
}

/** A chat whose ports are answered by hand. */
class Stage {
  readonly clock = new SimulatedClock();
  readonly said: string[] = [];
  readonly #waiting: Waiting[] = [];
  readonly #actor;

  constructor(maxRounds = 2) {
    const machine = intakeMachine().provide({
      actors: {
        open: fromPromise(({ input: { turn } }) => this.#asked<boolean>('open', `open ${turn}`)),
        fold: fromPromise(({ input: { turn } }) => this.#asked<void>('fold', `fold ${turn}`)),
        settle: fromPromise(({ input: { turn, end } }) =>
          this.#asked<void>('settle', `settle ${turn} ${end}`),
        ),
      },
      actions: {
        ask: (_, { turn }) => void this.said.push(`ask ${turn}`),
        abort: () => void this.said.push('abort'),
        reportLoss: () => void this.said.push('lost'),
      },
    });
    this.#actor = createActor(machine, {
      input: { maxRounds },
      clock: createActorClock(this.clock),
    });
    this.#actor.start();
  }

  get state(): unknown {
    return this.#actor.getSnapshot().value;
  }

  get rounds(): number {
    return this.#actor.getSnapshot().context.rounds;
  }

  send(...events: IntakeEvent[]): void {
    for (const event of events) this.#actor.send(event);
  }

  /** Up to the question to the model. */
  async begin(turn = 1): Promise<void> {
    this.send({ type: 'turn.asked', turn });
    await this.answer('open', true);
    this.said.length = 0;
  }

  answer(port: string, output?: unknown): Promise<void> {
    this.#take(port).settle(output);
    return new Promise((resolve) => setImmediate(resolve));
  }

  fail(port: string): Promise<void> {
    this.#take(port).fail(new Error('no'));
    return new Promise((resolve) => setImmediate(resolve));
  }

  #take(port: string): Waiting {
    const index = this.#waiting.findIndex((one) => one.port === port);
    const [waiting] = index < 0 ? [] : this.#waiting.splice(index, 1);
    if (!waiting) throw new Error(`${port} was not asked`);
    return waiting;
  }

  #asked<Output>(port: string, text: string): Promise<Output> {
    this.said.push(text);
    return new Promise((settle, fail) => {
      this.#waiting.push({ port, settle: settle as (output: unknown) => void, fail });
    });
  }
}

const createEndEvent = (end: Exclude<TurnEnd, 'overdue'> = 'end'): IntakeEvent => ({
  type: 'turn.ended',
  end,
});
const BEGAN = (round: number): IntakeEvent => ({ type: 'lookup.began', round });
const OVER: IntakeEvent = { type: 'lookup.ended' };
const CAME: IntakeEvent = { type: 'answer.came' };

test('a turn is opened, asked, settled; then the chat is idle', async () => {
  const stage = new Stage();
  stage.send({ type: 'turn.asked', turn: 1 });
  assert.is(stage.state, 'opening');
  await stage.answer('open', true);
  assert.equal(stage.state, { asking: 'waiting' });
  stage.send(CAME);
  assert.equal(stage.state, { asking: 'streaming' });
  stage.send(createEndEvent());
  assert.is(stage.state, 'settling');
  await stage.answer('settle');
  assert.is(stage.state, 'idle');
  assert.equal(stage.said, ['open 1', 'ask 1', 'settle 1 end']);
});

test('a conversation that does not fit is folded once before it is asked', async () => {
  const stage = new Stage();
  stage.send({ type: 'turn.asked', turn: 1 });
  await stage.answer('open', false);
  assert.is(stage.state, 'folding');
  await stage.answer('fold');
  assert.equal(stage.said, ['open 1', 'fold 1', 'ask 1']);
});

test('a fold that frees too little ends the turn as an error', async () => {
  const stage = new Stage();
  stage.send({ type: 'turn.asked', turn: 1 });
  await stage.answer('open', false);
  await stage.fail('fold');
  assert.is(stage.said.at(-1), 'settle 1 error');
});

test('rounds are counted as the executor counts them; after the last one only closing words are left', async () => {
  const stage = new Stage(2);
  await stage.begin();
  stage.send(CAME, BEGAN(1), OVER, BEGAN(1), OVER);
  assert.is(stage.rounds, 1);
  assert.equal(stage.state, { asking: 'waiting' });
  stage.send(BEGAN(2), BEGAN(2));
  assert.is(stage.state, 'looking');
  stage.send(OVER);
  assert.is(stage.state, 'looking');
  stage.send(OVER);
  assert.is(stage.rounds, 2);
  assert.equal(stage.state, { asking: 'closing' });
});

for (const events of [[], [CAME], [BEGAN(1)]])
  test(`a stop tells the executor to stop, after ${events.map(({ type }) => type).join() || 'the question'}`, async () => {
    const stage = new Stage();
    await stage.begin();
    stage.send(...events, { type: 'stop' });
    assert.is(stage.state, 'stopping');
    stage.send(createEndEvent('interrupted'));
    assert.equal(stage.said, ['abort', 'settle 1 interrupted']);
  });

test('an executor that does not stop within its time is not waited for', async () => {
  const stage = new Stage();
  await stage.begin();
  stage.send({ type: 'stop' });
  stage.clock.advance(STOP_CHAT_MS);
  assert.equal(stage.said, ['abort', 'settle 1 overdue']);
});

test('a stop before the model is asked means that it is not asked', async () => {
  const stage = new Stage();
  stage.send({ type: 'turn.asked', turn: 1 }, { type: 'stop' });
  await stage.answer('open', true);
  assert.equal(stage.said, ['open 1', 'settle 1 interrupted']);
});

test('turns that wait are asked in their order', async () => {
  const stage = new Stage();
  await stage.begin();
  stage.send({ type: 'turn.asked', turn: 2 }, { type: 'turn.asked', turn: 3 }, createEndEvent());
  await stage.answer('settle');
  assert.equal(stage.said, ['settle 1 end', 'open 2']);
});

test('a turn that cannot be stored is reported, and the chat continues', async () => {
  const stage = new Stage();
  await stage.begin();
  stage.send(createEndEvent());
  await stage.fail('settle');
  assert.is(stage.said.at(-1), 'lost');
  assert.is(stage.state, 'idle');
});

test('a chat that is closed stops what runs and begins nothing that waits', async () => {
  const stage = new Stage();
  await stage.begin();
  stage.send({ type: 'turn.asked', turn: 2 }, { type: 'close' }, createEndEvent('interrupted'));
  await stage.answer('settle');
  assert.is(stage.state, 'over');
  assert.equal(stage.said, ['abort', 'settle 1 interrupted']);
});

const nodesUnder = (node: AnyStateNode): AnyStateNode[] => [
  node,
  ...Object.values(node.states).flatMap(nodesUnder),
];

test('every guard that an arrow names has a note, and no note is left over', () => {
  const used = nodesUnder(intakeMachine().root)
    .flatMap((node) => [...[...node.transitions.values()].flat(), ...(node.always ?? [])])
    .flatMap(({ guard }) => (guard === undefined ? [] : [String(guard)]));
  const noted = liveCharts.find(({ id }) => id === 'intake')?.guards ?? {};
  assert.equal([...new Set(used)].toSorted(), Object.keys(noted).toSorted());
});

test.run();
