import type {
  Executor,
  Session,
  SessionMessage,
  SessionRequest,
  SessionResult,
} from '../src/contract/session/executor.ts';
import { monotonicMs } from './monotonic.ts';

/** Characters of a line, about as many as agents write. */
const LINE_CHARS = 120;

const ENDED: SessionResult = { stopReason: 'interrupted', error: null, usage: null };

/** An executor whose agents say nothing until they are asked to, and are interrupted at once. */
export class Speakers implements Executor {
  readonly id = 'speaker';
  readonly capabilities = {
    steering: true,
    foldMidTurn: true,
    cancelsToolCalls: false,
    resume: false,
    skills: false,
    systemPrompt: false,
  };
  readonly #open = new Map<SessionRequest, (result: SessionResult) => void>();
  /** When each message came to an agent, ms of the monotonic clock. */
  readonly reached: number[] = [];

  get count(): number {
    return this.#open.size;
  }

  get tools(): SessionRequest['tools'][] {
    return [...this.#open.keys()].map(({ tools }) => tools);
  }

  async run(request: SessionRequest): Promise<Session> {
    const result = new Promise<SessionResult>((resolve) => this.#open.set(request, resolve));
    const end = async () => this.#open.get(request)?.(ENDED);
    const steering = {
      send: (messages: readonly SessionMessage[]) => {
        this.reached.push(monotonicMs());
        for (const { id } of messages) {
          void request.onEvent({ type: 'message', id, state: 'delivered' });
          void request.onEvent({ type: 'message', id, state: 'acknowledged' });
        }
      },
      interrupt: async () => {
        void request.onEvent({ type: 'turn', stopReason: 'interrupted', error: null });
        return true;
      },
      heal: async () => true,
      close: () => void end(),
    };
    return { result, steering, end };
  }

  async endOrphans(): Promise<number> {
    return 0;
  }

  /**
   * Lets every agent say `linesPerSecond` lines for `ms`, not all at one instant. Each line begins
   * with the instant at which it was said. Answers how many lines there were.
   */
  async speak(linesPerSecond: number, ms: number): Promise<number> {
    const start = monotonicMs();
    const spacing = 1_000 / linesPerSecond;
    const due = [...this.#open.keys()].map((request, n) => ({
      request,
      at: start + (n * spacing) / this.#open.size,
    }));
    let lines = 0;
    for (let now = start; now < start + ms; now = monotonicMs()) {
      for (const speaker of due) {
        for (; speaker.at <= now; speaker.at += spacing) {
          const line = `${monotonicMs().toFixed(3)} `.padEnd(LINE_CHARS, 'x');
          speaker.request.onEvent({ type: 'log', stream: 'stdout', line });
          lines += 1;
        }
      }
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    return lines;
  }
}
