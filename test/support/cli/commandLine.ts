import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Config } from '@oclif/core';
import { Ansis } from 'ansis';
import { LocalCommand } from '../../../cli/base/localCommand.ts';
import type { Io } from '../../../cli/io.ts';
import { inTime } from '../inTime.ts';
import { checkReply } from './checkReply.ts';
import { SimulatedClock } from '../charts/simulatedClock.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** oclif's configuration without plugins and commands: a test hands in the command itself. */
let loaded: Promise<Config> | undefined;
const loadConfig = (): Promise<Config> => {
  if (loaded) return loaded;
  const { name, version } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8'));
  loaded = Config.load({
    root,
    pjson: { name, version, oclif: { bin: 'svc', dirname: 'svc', topicSeparator: ' ' } },
    ignoreManifest: true,
  });
  return loaded;
};

export interface CommandRun {
  code: number;
  out: string;
  err: string;
}

/** A fake environment for commands: keeps output, stopped clock, Ctrl-C pressed by the test. */
export class CommandLine {
  readonly clock = new SimulatedClock(Date.UTC(2026, 0, 1, 12));
  readonly #env: Record<string, string>;
  readonly #input: string | Uint8Array;
  #out = '';
  #err = '';
  #code = 0;
  #watchers: { text: string; seen: () => void }[] = [];
  #interrupt: (() => void) | null = null;
  /** The answers to the next prompts, null or nothing for Ctrl-C; itself null = no terminal. */
  answers: (string | null)[] | null = null;
  cwd = '/';
  homeDir = '/nowhere';
  fetch: typeof globalThis.fetch = async () => {
    throw new Error('There is no network in a test.');
  };

  constructor(env: Record<string, string>, input: string | Uint8Array = '') {
    this.#env = env;
    this.#input = input;
  }

  async run(
    command: { name: string; run(argv: string[], config: Config): Promise<unknown> },
    argv: string[],
  ): Promise<CommandRun> {
    this.#out = '';
    this.#err = '';
    this.#code = 0;
    LocalCommand.io = this.#io();
    await command.run(argv, await loadConfig());
    if (argv.includes('--json')) checkReply(command.name, this.#out);
    return { code: this.#code, out: this.#out, err: this.#err };
  }

  /** Resolves when the text has been written to either stream; rejects after 30 s without it. */
  written(text: string): Promise<void> {
    const written = new Promise<void>((seen) => {
      this.#watchers.push({ text, seen });
      this.#look();
    });
    return inTime(written, () => `"${text}" in: ${this.#out}${this.#err}`);
  }

  /** What was written so far, to either stream. */
  get shown(): string {
    return `${this.#out}${this.#err}`;
  }

  pressCtrlC(): void {
    this.#interrupt?.();
  }

  #look(): void {
    for (const { text, seen } of this.#watchers)
      if (this.#out.includes(text) || this.#err.includes(text)) seen();
  }

  #io(): Io {
    return {
      env: this.#env,
      homeDir: this.homeDir,
      cwd: this.cwd,
      out: (text) => {
        this.#out += text;
        this.#look();
      },
      err: (text) => {
        this.#err += text;
        this.#look();
      },
      color: new Ansis(0),
      columns: 0,
      readBytes: async () => Buffer.from(this.#input),
      readInput: async () => Buffer.from(this.#input).toString('utf8'),
      ask:
        this.answers &&
        (async (question) => {
          this.#err += question;
          return this.answers?.shift() ?? null;
        }),
      fetch: (...request) => this.fetch(...request),
      now: () => this.clock.now(),
      after: (ms, run) => this.clock.at(this.clock.now() + ms, run),
      onInterrupt: (run) => {
        this.#interrupt = run;
        return () => {
          this.#interrupt = null;
        };
      },
      exitWith: (code) => {
        this.#code = code;
      },
    };
  }
}
