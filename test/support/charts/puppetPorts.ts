import type { DurableEvent } from '../../../src/kernel/chart.ts';
import type { EffectOutcome, Port, Ports } from '../../../src/kernel/port.ts';

type Params = Record<string, unknown>;

interface Waiting {
  type: string;
  params: Params;
  answer(outcome: EffectOutcome): void;
}

/** Which effect an event answers, and the members that they have in common. */
const ANSWERS: Readonly<Record<string, readonly [type: string, ...members: string[]]>> = {
  'phase.prepared': ['phase.prepare', 'visit'],
  'phase.unprepared': ['phase.prepare', 'visit'],
  'session.ended': ['session.open', 'visit', 'session'],
  'phase.judged': ['phase.judge', 'visit', 'session'],
  'forge.wrote': ['forge.write', 'key'],
};

/** The job's ports as puppets: each run waits until a test says what it answers. */
export class PuppetPorts {
  #waiting: Waiting[] = [];

  readonly ports: Ports = Object.fromEntries(
    [
      'phase.prepare',
      'session.open',
      'phase.judge',
      'session.stop',
      'message.offer',
      'forge.write',
      'subRun.dispatch',
      'subRun.stop',
    ].map((type) => [type, this.#port(type)]),
  );

  /** Lets the port that this event answers answer it; false where none waits for such an answer. */
  answer(event: DurableEvent): boolean {
    const [type, ...members] = ANSWERS[event.type] ?? [];
    const index = this.#waiting.findIndex(
      (one) => one.type === type && members.every((member) => one.params[member] === event[member]),
    );
    const [run] = index < 0 ? [] : this.#waiting.splice(index, 1);
    run?.answer({ events: [event] });
    return run !== undefined;
  }

  #port(type: string): Port<Params> {
    return (params) =>
      new Promise((answer) => {
        this.#waiting.push({ type, params, answer });
      });
  }
}
