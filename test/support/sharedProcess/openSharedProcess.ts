import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { type Ending, type FileResult, judge, killGroup } from '../uvuFile.ts';
import type { FileAnswer, FileOrder } from './messages.ts';

export const SHARED_PROCESS_WORKER = 'test/support/sharedProcess/sharedProcessWorker.ts';

export interface SharedResult extends FileResult {
  /** Why the file is to run again, alone; undefined where it passed and left nothing behind. */
  doubt?: string;
}

export interface SharedProcessOptions {
  worker: string;
  env: NodeJS.ProcessEnv;
  timeoutMs: number;
  onStart(pid: number): void;
  onEnd(pid: number): void;
}

export interface SharedProcess {
  /** Runs one file at a time. Never rejects. */
  run(file: string, program: string): Promise<SharedResult>;
  close(): void;
}

interface Outcome {
  answer?: FileAnswer;
  ending: Ending;
}

/**
 * Runs test files in turn in one process, which is started when it is needed. After a file that failed, left
 * something behind or ended the process, the next one gets a new process.
 */
export function openSharedProcess(options: SharedProcessOptions): SharedProcess {
  let child: ChildProcess | undefined;
  let printed = '';

  const start = (): ChildProcess => {
    const started = spawn(process.execPath, ['--enable-source-maps', options.worker], {
      env: options.env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    const { pid } = started;
    printed = '';
    // What Node itself prints when it dies; the files' own output is in the answers.
    for (const stream of [started.stdout, started.stderr])
      stream?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    started.on('error', (error) => (printed += error.message));
    if (pid !== undefined) {
      options.onStart(pid);
      started.once('exit', () => options.onEnd(pid));
    }
    return started;
  };

  const close = () => {
    if (child?.pid !== undefined) killGroup(child.pid);
    child = undefined;
  };

  const ask = (worker: ChildProcess, order: FileOrder): Promise<Outcome> =>
    new Promise((resolve) => {
      const settle = (outcome: Outcome) => {
        clearTimeout(timer);
        worker.removeAllListeners('message');
        worker.removeAllListeners('close');
        resolve(outcome);
      };
      const timer = setTimeout(
        () => settle({ ending: { code: null, signal: null, timedOut: true } }),
        options.timeoutMs,
      );
      worker.once('message', (answer: FileAnswer) =>
        settle({ answer, ending: { code: answer.code, signal: null, timedOut: false } }),
      );
      worker.once('close', (code, signal) =>
        settle({ ending: { code: code ?? 1, signal, timedOut: false } }),
      );
      worker.send(order);
    });

  const run = async (file: string, program: string): Promise<SharedResult> => {
    const started = performance.now();
    child ??= start();
    const { answer, ending } = await ask(child, { program });
    const output = answer?.output ?? printed;
    const result: FileResult = {
      file,
      ms: performance.now() - started,
      output,
      ...judge(readFileSync(file, 'utf8'), output, ending, options.timeoutMs),
    };
    const doubt = describeDoubt(result, answer);
    if (doubt === undefined) return result;
    close();
    return { ...result, doubt };
  };
  return { run, close };
}

function describeDoubt(result: FileResult, answer: FileAnswer | undefined): string | undefined {
  if (answer === undefined) return 'it ended the process that it shared with other files';
  if (result.failed > 0) return 'it failed in a process that it shared with other files';
  if (answer.left.length > 0) return `it left behind: ${answer.left.join(', ')}`;
  return undefined;
}
