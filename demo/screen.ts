import { Ansis } from 'ansis';
import { wantsColor } from '../src/base/output/wantsColor.ts';
import type { LogFrame, StateFrame } from '../src/contract/schema/job/frames.ts';

const colors = wantsColor(process.env, process.stdout.isTTY === true) ? new Ansis() : new Ansis(0);

const NAME_WIDTH = 9;

/** Prints what happens with the seconds since the start; silent where only data is wanted. */
export class Screen {
  readonly #startedAt: number;
  readonly #silent: boolean;
  readonly #shown = new Map<string, string>();

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

  person(did: string, name = 'reviewer'): void {
    this.say(`${colors.yellow(name)} ${did}`);
  }

  crash(text: string): void {
    this.say(colors.red.bold(text));
  }

  /** `name` is the prefix where several jobs are shown. */
  state({ status }: StateFrame, name = ''): void {
    if (this.#shown.get(name) === status) return;
    this.#shown.set(name, status);
    this.say(`${this.#prefix(name)}${colors.cyan.bold(`● ${status}`)}`);
  }

  log({ from, tag, line }: LogFrame, name = ''): void {
    const who = from === 'agent' ? colors.green('agent') : colors.blue(from);
    this.say(`${this.#prefix(name)}    ${who} ${tag === null ? '' : `[${tag}] `}${line}`);
  }

  #prefix(name: string): string {
    return name === '' ? '' : colors.magenta(name.padEnd(NAME_WIDTH));
  }

  plain(text: string): void {
    if (!this.#silent) process.stdout.write(`${text}\n`);
  }
}
