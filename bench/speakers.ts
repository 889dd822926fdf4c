import type { Executor, Session, SessionRequest, SessionResult } from '../src/executors/executor.ts';
import { monotonicMs } from './monotonic.ts';

/** Characters of a line, about as many as agents write. */
const LINE_CHARS = 120;

/** An executor whose agents say nothing until they are asked to. */
export class Speakers implements Executor {
  readonly id = 'speaker';
  readonly capabilities = {
    steering: false,
    foldMidTurn: false,
    cancelsToolCalls: false,
    resume: false,
    skills: false,
    systemPrompt: false,
  };
  readonly #open = new Map<SessionRequest, (result: SessionResult) => void>();

  get count(): number {
    return this.#open.size;
  }

  async run(request: SessionRequest): Promise<Session> {
    const result = new Promise<SessionResult>((resolve) => this.#open.set(request, resolve));
    const end = async () => this.#open.get(request)?.({ stopReason: 'interrupted', error: null, usage: null });
    return { result, steering: null, end };
  }

  async endOrphans(): Promise<number> {
    return 0;
  }

  /**
   * Lets every agent say `linesPerSecond` lines for `ms`, not all at one instant. Each line begins with the instant at
   * which it was said. Answers how many lines there were.
   */
  async speak(linesPerSecond: number, ms: number): Promise<number> {
    const start = monotonicMs();
    const spacing = 1_000 / linesPerSecond;
    const due = [...this.#open.keys()].map((request, n) => ({ request, at: start + (n * spacing) / this.#open.size }));
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
