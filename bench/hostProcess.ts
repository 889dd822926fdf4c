import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Lab } from './lab.ts';

/** What a host can be asked, by name. Arguments and answers cross the border as JSON. */
type Calls = Record<string, (...args: never[]) => unknown>;

interface Request {
  id: number;
  name: string;
  args: unknown[];
}

interface Reply {
  id: number;
  value?: unknown;
  error?: string;
}

/** Answers the calls of the process that started this one, and ends with it. */
export function answerCalls(calls: Calls): void {
  process.on('message', ({ id, name, args }: Request) => {
    const call = calls[name] as ((...args: unknown[]) => unknown) | undefined;
    Promise.resolve()
      .then(() => call?.(...args))
      .then(
        (value) => process.send?.({ id, value } satisfies Reply),
        (error: Error) =>
          process.send?.({ id, error: error.stack ?? String(error) } satisfies Reply),
      );
  });
  process.on('disconnect', () => process.exit());
  process.send?.({ id: 0 } satisfies Reply);
}

/** A process beside the bench: it must not share a core with what it measures. */
export class HostProcess<Known extends Calls> implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, (reply: Reply) => void>();
  #calls = 0;

  private constructor(child: ChildProcess) {
    this.#child = child;
    child.on('message', (reply: Reply) => this.#waiting.get(reply.id)?.(reply));
  }

  /**
   * Starts a file of `bench/hosts/`, named without its extension; resolves when it can be asked.
   */
  static async start<Known extends Calls>(
    lab: Lab,
    name: string,
    ...args: string[]
  ): Promise<HostProcess<Known>> {
    return HostProcess.run<Known>(join(await lab.hosts(), `${name}.js`), ...args);
  }

  /**
   * Starts a built file that answers calls; resolves when it can be asked. What it prints comes to
   * stderr: stdout is for the figures.
   */
  static async run<Known extends Calls>(
    file: string,
    ...args: string[]
  ): Promise<HostProcess<Known>> {
    const child = fork(file, args, { execArgv: ['--expose-gc'], stdio: ['ignore', 2, 2, 'ipc'] });
    const host = new HostProcess<Known>(child);
    await host.#answer(0);
    return host;
  }

  async call<Name extends keyof Known & string>(
    name: Name,
    ...args: Parameters<Known[Name]>
  ): Promise<Awaited<ReturnType<Known[Name]>>> {
    this.#calls += 1;
    const answer = this.#answer(this.#calls);
    this.#child.send({ id: this.#calls, name, args } satisfies Request);
    return (await answer) as Awaited<ReturnType<Known[Name]>>;
  }

  /** As `kill -9`; resolves when it has ended. */
  async kill(): Promise<void> {
    await this.#end(() => this.#child.kill('SIGKILL'));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end(() => this.#child.disconnect());
  }

  async #end(ask: () => void): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exited = once(this.#child, 'exit');
    ask();
    await exited;
  }

  #answer(id: number): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const rejectOnExit = (code: number | null) =>
        reject(new Error(`a host of the benches ended with ${code}`));
      this.#child.once('exit', rejectOnExit);
      this.#waiting.set(id, ({ value, error }) => {
        this.#child.off('exit', rejectOnExit);
        this.#waiting.delete(id);
        if (error === undefined) resolve(value);
        else reject(new Error(error));
      });
    });
  }
}
