import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { type Deferred, createDeferred } from '../../base/concurrency/createDeferred.ts';
import { SvcError } from '../../base/errors/errors.ts';
import {
  FromSuccessor,
  type RestartReply,
  type ToSuccessor,
} from '../../contract/schema/runner/handover.ts';
import type { AdoptedJob } from '../../contract/schema/runner/cloudStatus.ts';
import { type Channel, parseMessage, processChannel } from './channel.ts';
import type { Program } from './program.ts';

export type Ready = Omit<Extract<FromSuccessor, { type: 'ready' }>, 'type'>;

/** Exit codes of shells for processes that a signal has ended. */
const SIGNALLED = { SIGHUP: 129, SIGINT: 130, SIGKILL: 137, SIGTERM: 143 } as const;

/** A program of svc that this process has started as the runner of the home, or to become it. */
export interface ChildRunner {
  program: Program;
  /** Rejects with SvcError where it ends before, with what it said. */
  ready: Promise<Ready>;
  /** Its address. Rejects as `ready` does. */
  serving: Promise<string>;
  ended: Promise<number>;
  say(message: ToSuccessor): void;
  signal(signal: NodeJS.Signals): void;
  /** Of the process of an adopted home: called with its jobs that are not over. */
  onJobs(run: (jobs: readonly AdoptedJob[]) => void): void;
  /** Of the process of an adopted home: called when nothing is left to do for it. */
  onOver(run: () => void): void;
  /** Called each time it reports that it waits for the state, with the reason for people. */
  onWaiting(run: (reason: string) => void): void;
  /** Answers the child's request to make room for a program. */
  onRestart(answer: (root: string | null) => Promise<RestartReply>): void;
}

export interface StartedProcess {
  channel: Channel;
  ended: Promise<number>;
  kill(signal: NodeJS.Signals): void;
}

/**
 * Starts `svc start` of the program with these flags. `home`: instead of the home of this process.
 */
export function spawnProgram(
  program: Program,
  flags: readonly string[],
  home?: string,
): StartedProcess {
  const script = join(program.root, 'cli', 'bin', 'run.js');
  const child = spawn(process.execPath, [script, 'start', ...flags, '--no-open', '--successor'], {
    // A group of its own: Ctrl-C in a terminal reaches the supervisor alone, which passes it on once.
    // On Windows that would be a window.
    detached: process.platform !== 'win32',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    ...(home === undefined ? {} : { env: { ...process.env, SVC_HOME: home } }),
  });
  return {
    channel: processChannel(child),
    ended: awaitChildExit(child),
    kill: (signal) => void child.kill(signal),
  };
}

const awaitChildExit = (child: ChildProcess): Promise<number> =>
  new Promise((resolve) => {
    child.once('error', () => resolve(1));
    child.once('exit', (code, signal) =>
      resolve(code ?? Object.entries(SIGNALLED).find(([name]) => name === signal)?.[1] ?? 1),
    );
  });

export function followProgram(program: Program, child: StartedProcess): ChildRunner {
  const { channel, ended, kill } = child;
  const ready = createDeferred<Ready>();
  const serving = createDeferred<string>();
  let lastMessage: string | null = null;
  let onWaiting: (reason: string) => void = () => {};
  let onJobs: (jobs: readonly AdoptedJob[]) => void = () => {};
  let onOver = (): void => {};
  let answer: (root: string | null) => Promise<RestartReply> = () =>
    Promise.reject(new SvcError('not-possible-now', 'The runner is only starting.'));

  channel.onMessage((message) => {
    const parsedMessage = parseMessage(FromSuccessor, message);
    if (parsedMessage?.type === 'ready') ready.resolve(parsedMessage);
    else if (parsedMessage?.type === 'serving') serving.resolve(parsedMessage.url);
    else if (parsedMessage?.type === 'waiting') onWaiting(parsedMessage.reason);
    else if (parsedMessage?.type === 'jobs') onJobs(parsedMessage.jobs);
    else if (parsedMessage?.type === 'over') onOver();
    else if (parsedMessage?.type === 'failed') lastMessage = parsedMessage.message;
    else if (parsedMessage?.type === 'restart')
      void sendRestartReply(channel, parsedMessage.call, answer(parsedMessage.root));
  });
  void ended.then((code) => {
    const error = new SvcError('conflict', lastMessage ?? `It exited with code ${code}.`);
    rejectQuietly(ready, error);
    rejectQuietly(serving, error);
  });
  return {
    program,
    ready: ready.promise,
    serving: serving.promise,
    ended,
    say: (message) => channel.send(message),
    signal: kill,
    onJobs(run) {
      onJobs = run;
    },
    onOver(run) {
      onOver = run;
    },
    onWaiting(run) {
      onWaiting = run;
    },
    onRestart(run) {
      answer = run;
    },
  };
}

/** Rejects without an unhandled rejection: no one may be waiting. */
function rejectQuietly<Value>({ promise, reject: fail }: Deferred<Value>, error: SvcError): void {
  promise.catch(() => {});
  fail(error);
}

async function sendRestartReply(
  channel: Channel,
  call: number,
  restartReply: Promise<RestartReply>,
): Promise<void> {
  const reply = await restartReply.catch((error: unknown) =>
    error instanceof SvcError
      ? { code: error.code, message: error.message }
      : { code: 'internal', message: String(error) },
  );
  const message: ToSuccessor = { type: 'answer', call, reply };
  channel.send(message);
}
