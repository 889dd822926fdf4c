import { execFileSync, spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface ProgramRun {
  program: string;
  args: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string>>;
  input: string | Uint8Array;
}

export interface ProgramEnd {
  /** null = a signal ended it. */
  status: number | null;
  stdout: string;
  stderr: string;
}

/** Bytes of the number that says how long a message is. */
const HEAD_BYTES = 4;

/** Reads requests from its first pipe, runs them one after another and answers through the second. */
const SERVER = `
const { spawnSync } = require('node:child_process');
const { openSync, readSync, writeSync } = require('node:fs');
const [requests, replies] = process.argv.slice(1);
const [input, output] = [openSync(requests, 'r'), openSync(replies, 'w')];
const read = (bytes) => {
  const all = Buffer.alloc(bytes);
  for (let at = 0; at < bytes; ) {
    const count = readSync(input, all, at, bytes - at);
    if (count === 0) process.exit();
    at += count;
  }
  return all;
};
for (;;) {
  const { program, args, cwd, env, body } = JSON.parse(read(read(${HEAD_BYTES}).readUInt32LE()));
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd, env, input: Buffer.from(body, 'base64'), maxBuffer: Infinity,
  });
  const reply = Buffer.from(JSON.stringify({
    status, stdout: String(stdout ?? ''), stderr: error ? error.message : String(stderr ?? ''),
  }));
  const head = Buffer.alloc(${HEAD_BYTES});
  head.writeUInt32LE(reply.length);
  const message = Buffer.concat([head, reply]);
  for (let at = 0; at < message.length; ) at += writeSync(output, message, at);
}
`;

interface Pipes {
  requests: number;
  replies: number;
}

let pipes: Pipes | null = null;

function openPipes(): Pipes {
  const dir = mkdtempSync(join(tmpdir(), 'svc-small-'));
  const [requests, replies] = [join(dir, 'requests'), join(dir, 'replies')];
  execFileSync('mkfifo', [requests, replies]);
  const child = spawn(process.execPath, ['--eval', SERVER, requests, replies], {
    stdio: 'ignore',
    env: { PATH: process.env.PATH ?? '' },
  });
  child.unref();
  // Each waits until the other side has opened it.
  const opened = { requests: openSync(requests, 'w'), replies: openSync(replies, 'r') };
  rmSync(dir, { recursive: true });
  process.once('exit', () => {
    closeSync(opened.requests);
    child.kill('SIGKILL');
  });
  return opened;
}

function readAll(file: number, bytes: number): Buffer {
  const all = Buffer.alloc(bytes);
  for (let at = 0; at < bytes; ) {
    const count = readSync(file, all, at, bytes - at, null);
    if (count === 0) throw new Error('The process that runs programs has ended.');
    at += count;
  }
  return all;
}

/**
 * Runs a program to its end as a child of a small process. A process that starts another one copies the tables of its
 * memory first, which takes a test of 150 MB several times as long as the program itself.
 */
export function runInSmallProcess({ input, ...run }: ProgramRun): ProgramEnd {
  pipes ??= openPipes();
  const bytes = typeof input === 'string' ? new TextEncoder().encode(input) : input;
  const body = Buffer.from(bytes).toString('base64');
  const request = Buffer.from(JSON.stringify({ ...run, body }));
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32LE(request.length);
  const message = Buffer.concat([head, request]);
  for (let at = 0; at < message.length; ) at += writeSync(pipes.requests, message, at);
  return JSON.parse(
    readAll(pipes.replies, readAll(pipes.replies, HEAD_BYTES).readUInt32LE()).toString(),
  );
}
