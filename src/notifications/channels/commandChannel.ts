import { spawn } from 'node:child_process';
import { joinIntoOneLine, shorten } from '../../base/text/clip.ts';
import type { Channel, SendOutcome } from './channel.ts';

/** Longest time that the program may take, ms. */
export const COMMAND_TIMEOUT_MS = 60_000;
/** What is kept of its error output, bytes. */
const MOST_ERROR_BYTES = 4_096;
const MOST_SHOWN_CHARS = 200;

interface CommandOptions {
  command: readonly string[];
  env: NodeJS.ProcessEnv;
  /** Where it starts. */
  folder: string;
}

/** A program of the user's, which gets each message as JSON on stdin. Exit code 0 = it was delivered. */
export const createCommandChannel = (options: CommandOptions): Channel => ({
  repeats: true,
  send: (message, signal) => runCommand(options, JSON.stringify(message), signal),
});

const runCommand = (
  { command: [program = '', ...args], env, folder }: CommandOptions,
  input: string,
  signal: AbortSignal,
): Promise<SendOutcome> =>
  new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: folder,
      env,
      // A group of its own, so that its children end with it.
      detached: true,
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    let errors = '';
    let ending = '';
    const end = (why: string) => {
      ending = why;
      if (child.pid !== undefined) endProcessGroup(child.pid);
    };
    const timer = setTimeout(() => end('did not end within a minute'), COMMAND_TIMEOUT_MS);
    const abort = () => end('was ended because the runner stops');
    signal.addEventListener('abort', abort, { once: true });
    const finish = (outcome: SendOutcome) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      resolve(outcome);
    };
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors = (errors + text).slice(-MOST_ERROR_BYTES);
    });
    // A program that does not read its input has it closed.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    child.once('error', ({ message }) =>
      finish({
        is: 'refused',
        problem: `could not start: ${message}`,
        final: false,
        retryAfterMs: null,
      }),
    );
    child.once('close', (code, killedBy) => {
      if (code === 0) return finish({ is: 'delivered' });
      const errorText = shorten(joinIntoOneLine(errors), MOST_SHOWN_CHARS);
      const how =
        ending || (code === null ? `was ended by ${killedBy}` : `ended with code ${code}`);
      finish({ is: 'uncertain', problem: errorText === '' ? how : `${how}: ${errorText}` });
    });
  });

function endProcessGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}
