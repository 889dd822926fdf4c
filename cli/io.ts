import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { isatty } from 'node:tty';
import { stripVTControlCharacters } from 'node:util';
import { Ansis } from 'ansis';
import { wantsColor } from '../src/base/output/wantsColor.ts';
import type { Env } from '../src/host/config/home/env.ts';

/** The environment of a command; a test passes its own. */
export interface Io {
  env: Env;
  homeDir: string;
  cwd: string;
  /** Data: what a script reads. */
  out(text: string): void;
  /** Messages for a person, next to the output; without colours where that stream shows none. */
  err(text: string): void;
  /** Colours for `out`; level 0 where colours are not wanted (NO_COLOR, TERM=dumb, no terminal). */
  color: Ansis;
  /** Width of the terminal; 0 = unknown. */
  columns: number;
  readBytes(): Promise<Uint8Array>;
  readInput(): Promise<string>;
  /**
   * Puts a question to the person and gives what they type, null for Ctrl-C and Ctrl-D; itself null
   * where no person is at a terminal. `hidden`: what they type is not shown.
   */
  ask: ((question: string, hidden?: boolean) => Promise<string | null>) | null;
  /** Asks a server, through the proxies of the environment. */
  fetch: typeof globalThis.fetch;
  now(): number;
  /** Calls `run` once after `ms`; the returned function cancels it. */
  after(ms: number, run: () => void): () => void;
  /**
   * Calls `run` at the first Ctrl-C unless cancelled; a second one ends the process.
   */
  onInterrupt(run: () => void): () => void;
  exitWith(code: number): void;
}

async function readAllBytes(input: AsyncIterable<Buffer | string>): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of input) parts.push(Buffer.from(part));
  return Buffer.concat(parts);
}

/** On standard error: standard output may be a file. */
const createTerminalAsk =
  (process: NodeJS.Process): Io['ask'] =>
  (question, hidden = false) =>
    new Promise((resolve) => {
      if (hidden) process.stderr.write(question);
      const terminal = createInterface({
        input: process.stdin,
        output: hidden ? new Writable({ write: (_text, _kind, next) => next() }) : process.stderr,
        // readline itself echoes, so its output is discarded to hide the text.
        terminal: true,
      });
      terminal.on('close', () => {
        if (hidden) process.stderr.write('\n');
        resolve(null);
      });
      terminal.question(hidden ? '' : question, (answer) => {
        resolve(answer);
        terminal.close();
      });
    });

/**
 * The environment of this process. When its output is no longer read (`svc logs | head`), the
 * process ends; a followed job continues.
 */
export function createProcessIo(process: NodeJS.Process, homeDir: string): Io {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit();
  });
  const { env } = process;
  const errHasColor = wantsColor(env, process.stderr.isTTY === true);
  return {
    env,
    homeDir,
    cwd: process.cwd(),
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(errHasColor ? text : stripVTControlCharacters(text)),
    color: wantsColor(env, process.stdout.isTTY === true) ? new Ansis() : new Ansis(0),
    columns: process.stdout.columns ?? 0,
    readBytes: () => readAllBytes(process.stdin),
    readInput: async () => (await readAllBytes(process.stdin)).toString('utf8'),
    // By descriptor: accessing process.stdin would open it, for every command.
    ask: isatty(0) && isatty(2) ? createTerminalAsk(process) : null,
    async fetch(...request) {
      const { openNetwork } = await import('../src/base/system/network/network.ts');
      await openNetwork(process.env, null);
      return globalThis.fetch(...request);
    },
    now: () => Date.now(),
    after(ms, run) {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
    onInterrupt(run) {
      process.once('SIGINT', run);
      return () => void process.off('SIGINT', run);
    },
    exitWith: (code) => {
      process.exitCode = code;
    },
  };
}
