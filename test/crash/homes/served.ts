import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const ROOT = join(import.meta.dirname, '../../..');

/** Those that run. None outlives this process, stopped ones neither. */
const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** A process of a test that prints where it serves. */
export class Served {
  readonly child: ChildProcess;
  /** Its address; rejects if it ends before. */
  readonly url: Promise<string>;
  readonly ended: Promise<number | null>;
  isUp = true;
  /** It was ended from outside. */
  isSignalled = false;

  constructor(program: string, args: readonly string[]) {
    this.child = spawn(process.execPath, [program, ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
      cwd: ROOT,
    });
    running.add(this.child);
    this.ended = once(this.child, 'exit').then(([code]) => {
      running.delete(this.child);
      this.isUp = false;
      return typeof code === 'number' ? code : null;
    });
    this.url = this.#readAddress();
    this.url.catch(() => {});
  }

  async #readAddress(): Promise<string> {
    if (this.child.stdout === null) throw new Error('it has no output');
    const lines = createInterface(this.child.stdout)[Symbol.asyncIterator]();
    const { value, done } = await lines.next();
    if (done === true) throw new Error('it ended before it served');
    return value;
  }

  async signal(signal: NodeJS.Signals): Promise<void> {
    if (!this.isUp) return;
    this.isSignalled = true;
    this.child.kill(signal);
    await this.ended;
  }
}
