/**
 * A process that runs test files in turn, as `test/run.ts` orders: what they share is loaded once. Answers
 * what each printed and what it left behind.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { listLeftBehind, readProcessState } from './listLeftBehind.ts';
import type { FileAnswer, FileOrder } from './messages.ts';

/** Longest wait for what a file has begun and not awaited, ms; a process of its own would wait for ever. */
const LAST_WAIT_MS = 2_000;
const LAST_WAIT_STEP_MS = 5;

// uvu reads this when it is loaded: files are run here, not when they ask for it.
Object.assign(globalThis, { UVU_DEFER: 1 });
const { exec } = await import('uvu');

let output = '';
const take = (
  chunk: string | Uint8Array,
  encoding?: BufferEncoding | ((error?: Error) => void),
  written?: (error?: Error) => void,
): boolean => {
  output += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
  (typeof encoding === 'function' ? encoding : written)?.();
  return true;
};
process.stdout.write = take;
process.stderr.write = take;

async function runProgram(program: string): Promise<FileAnswer> {
  output = '';
  process.exitCode = 0;
  Object.assign(globalThis, { UVU_QUEUE: [[null]] });
  const before = readProcessState();
  try {
    await import(pathToFileURL(program).href);
    await exec();
  } catch (error) {
    output += `\n${error instanceof Error ? error.stack : String(error)}\n`;
    process.exitCode = 1;
  }
  const end = performance.now() + LAST_WAIT_MS;
  let left = listLeftBehind(before, readProcessState());
  while (left.length > 0 && performance.now() < end) {
    await wait(LAST_WAIT_STEP_MS);
    left = listLeftBehind(before, readProcessState());
  }
  return { output, code: Number(process.exitCode), left };
}

process.on('message', ({ program }: FileOrder) => {
  void runProgram(program).then((answer) => process.send?.(answer));
});
