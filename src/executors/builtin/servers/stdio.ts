import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { ReadBuffer, serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { Clock } from '../../../lib/clock.ts';
import { endGroup } from '../../process/processGroup.ts';

const GRACE_MS = 500;

interface StdioServer {
  program: string;
  args: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string>>;
  clock: Clock;
}

/**
 * A tool server as a program. Unlike the SDK's own transport it gives the program a process group
 * of its own, so that all it starts ends with it, and nothing of our environment.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #server: StdioServer;
  readonly #buffer = new ReadBuffer();
  #child: ChildProcessByStdio<Writable, Readable, null> | null = null;

  constructor(server: StdioServer) {
    this.#server = server;
  }

  async start(): Promise<void> {
    const { program, args, cwd, env } = this.#server;
    // Its stderr is lost: what a foreign program writes there can hold the secrets that it was
    // given.
    const child = spawn(program, args, {
      cwd,
      env,
      stdio: ['pipe', 'pipe', 'ignore'],
      detached: true,
    });
    this.#child = child;
    child.stdin.on('error', (error) => this.onerror?.(error));
    child.stdout.on('data', (chunk: Buffer) => this.#read(chunk));
    child.once('exit', () => this.onclose?.());
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', reject);
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const { stdin } = this.#child ?? {};
    if (!stdin?.writable) throw new Error('The tool server has ended.');
    await new Promise<void>((resolve, reject) => {
      stdin.write(serializeMessage(message), (error) => (error ? reject(error) : resolve()));
    });
  }

  async close(): Promise<void> {
    const pid = this.#child?.pid;
    this.#child?.stdin.end();
    if (pid !== undefined) await endGroup(this.#server.clock, pid, GRACE_MS);
    this.#buffer.clear();
  }

  #read(chunk: Buffer): void {
    try {
      this.#buffer.append(chunk);
      for (
        let message = this.#buffer.readMessage();
        message !== null;
        message = this.#buffer.readMessage()
      ) {
        this.onmessage?.(message);
      }
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
    }
  }
}
