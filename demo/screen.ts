import { Ansis } from 'ansis';
import type { LogFrame, StateFrame } from '../src/schema/frames.ts';

const colors = new Ansis();

/** Prints what happens, a line each, with the seconds since the start in front; silent where only data is wanted. */
export class Screen {
  readonly #startedAt: number;
  readonly #silent: boolean;
  #phase = '';

  constructor(startedAt: number, silent: boolean) {
    this.#startedAt = startedAt;
    this.#silent = silent;
  }

  say(line: string): void {
    if (this.#silent) return;
    const seconds = ((Date.now() - this.#startedAt) / 1000).toFixed(1).padStart(5);
    process.stdout.write(`${colors.dim(`${seconds}s`)}  ${line}\n`);
  }

  title(text: string): void {
    this.say(colors.bold(text));
  }

  person(did: string): void {
    this.say(`${colors.yellow('reviewer')} ${did}`);
  }

  crash(text: string): void {
    this.say(colors.red.bold(text));
  }

  state(frame: StateFrame): void {
    const place = `${frame.status}`;
    if (place !== this.#phase) {
      this.#phase = place;
      this.say(colors.cyan.bold(`● ${place}`));
    }
  }

  log({ from, tag, line }: LogFrame): void {
    const who = from === 'agent' ? colors.green('agent') : colors.blue(from);
    this.say(`    ${who} ${tag === null ? '' : `[${tag}] `}${line}`);
  }

  plain(text: string): void {
    if (!this.#silent) process.stdout.write(`${text}\n`);
  }
}
