import { createActor, fromPromise } from 'xstate';
import { type SteeringEvent, steeringMachine } from '../../../machines/index.ts';
import { createActorClock } from '../../../src/base/time/createActorClock.ts';
import { SimulatedClock } from './simulatedClock.ts';

type Port = 'offer' | 'interrupt' | 'heal';

interface Waiting {
  port: Port;
  settle(output: unknown): void;
  fail(error: Error): void;
}

/** A steering actor whose ports are answered by hand; `said` lists what it asks for, in order. */
export class SteeringStage {
  readonly clock = new SimulatedClock();
  readonly said: string[] = [];
  readonly #waiting: Waiting[] = [];
  readonly #actor;

  constructor(input: { folds: boolean }) {
    const machine = steeringMachine().provide({
      actors: {
        offer: fromPromise(({ input: { messages, how, interrupted } }) => {
          const ids = messages.map(({ id }) => id).join(',');
          return this.#asked(
            'offer',
            `offer ${ids} ${how}${interrupted === null ? '' : ` (${interrupted})`}`,
          );
        }),
        interrupt: fromPromise(({ input: { ackMs } }) =>
          this.#asked('interrupt', `interrupt ${ackMs}`),
        ),
        heal: fromPromise(() => this.#asked('heal', 'heal')),
      },
      actions: {
        send: (_, { messages }) =>
          void this.said.push(`send ${messages.map(({ id }) => id).join(',')}`),
        nudge: () => void this.said.push('nudge'),
        holdTools: () => void this.said.push('hold tools'),
        releaseTools: () => void this.said.push('release tools'),
        control: (_, { line }) => void this.said.push(`control: ${line}`),
        closeInput: () => void this.said.push('close'),
        endSession: () => void this.said.push('end'),
      },
    });
    this.#actor = createActor(machine, { input, clock: createActorClock(this.clock) });
    this.#actor.start();
  }

  get state(): unknown {
    return this.#actor.getSnapshot().value;
  }

  send(event: SteeringEvent): void {
    this.#actor.send(event);
  }

  message(id: string): void {
    this.send({ type: 'message', message: { id, text: `text of ${id}` } });
  }

  turnEnds(stopReason: Extract<SteeringEvent, { type: 'turn.ended' }>['stopReason']): void {
    this.send({ type: 'turn.ended', stopReason });
  }

  /** What was asked for since the last look. */
  news(): string[] {
    return this.said.splice(0);
  }

  answer(port: Port, output: unknown): Promise<void> {
    this.#take(port).settle(output);
    return new Promise((resolve) => setImmediate(resolve));
  }

  refuse(port: Port): Promise<void> {
    this.#take(port).fail(new Error('refused'));
    return new Promise((resolve) => setImmediate(resolve));
  }

  #take(port: Port): Waiting {
    const at = this.#waiting.findIndex((one) => one.port === port);
    const [request] = at === -1 ? [] : this.#waiting.splice(at, 1);
    if (!request) throw new Error(`no request waits for ${port}`);
    return request;
  }

  #asked<Output>(port: Port, line: string): Promise<Output> {
    this.said.push(line);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ port, settle: (output) => resolve(output as Output), fail: reject });
    });
  }
}
