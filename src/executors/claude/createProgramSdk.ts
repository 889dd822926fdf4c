import type { ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { type Fields, toFields, toStringOrEmpty } from '../../base/json/untrusted.ts';
import { buildProgramArguments } from './buildProgramArguments.ts';
import { ProgramLines } from './programLines.ts';
import type { ClaudeSdk, HookAnswer, Query, QueryOptions, UserMessage } from './sdk.ts';

/** Name under which the program asks about a call before it runs. */
const CALL_HOOK = 'call';

/** A call is refused if the rules about it cannot be read. */
const UNCHECKED: HookAnswer = {
  hookSpecificOutput: {
    hookEventName: 'PreToolUse',
    permissionDecision: 'deny',
    permissionDecisionReason: 'svc could not check its rules about this call.',
  },
};

const buildInitialize = ({ systemPrompt, mcpServers, hooks }: QueryOptions): Fields => ({
  subtype: 'initialize',
  ...(typeof systemPrompt === 'string'
    ? { systemPrompt: [systemPrompt] }
    : { systemPrompt: [systemPrompt.prompt], systemPromptSnapshot: systemPrompt.snapshot }),
  mcpServers,
  ...(hooks ? { hooks: { PreToolUse: [{ hookCallbackIds: [CALL_HOOK] }] } } : {}),
});

interface Waiting {
  resolve(answer: unknown): void;
  reject(error: Error): void;
}

/** One conversation with the program: its messages, without those that control it. */
class ProgramQuery implements Query {
  readonly #options: QueryOptions;
  readonly #program: string;
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #ended: Promise<string | null>;
  readonly #waiting = new Map<string, Waiting>();
  readonly #messages: AsyncGenerator<Fields, void>;
  #requests = 0;

  constructor(program: string, prompt: AsyncIterable<UserMessage>, options: QueryOptions) {
    this.#options = options;
    this.#program = program;
    this.#child = options.spawnClaudeCodeProcess({
      command: program,
      args: buildProgramArguments(options),
      env: {},
    });
    this.#ended = new Promise((resolve) => {
      this.#child.once('error', (error) => resolve(error.message));
      this.#child.once('exit', (code, signal) =>
        resolve(code === 0 ? null : `it ended with ${signal ?? `exit code ${code}`}`),
      );
    });
    this.#messages = this.#read();
    void this.#converse(prompt);
  }

  [Symbol.asyncIterator](): AsyncIterator<unknown> {
    return this.#messages;
  }

  interrupt(): Promise<unknown> {
    return this.#request({ subtype: 'interrupt' });
  }

  async reconnectMcpServer(name: string): Promise<void> {
    await this.#request({ subtype: 'mcp_reconnect', serverName: name });
  }

  close(): void {
    this.#child.stdin.end();
  }

  /** The first message is sent once the program has its tool servers and its rules. */
  async #converse(prompt: AsyncIterable<UserMessage>): Promise<void> {
    try {
      await this.#request(buildInitialize(this.#options));
      for await (const message of prompt) this.#write(message);
    } catch {
      // A program that refuses or is gone: its last words and its exit code say why.
    }
    this.#child.stdin.end();
  }

  async *#read(): AsyncGenerator<Fields, void> {
    const lines = new ProgramLines();
    try {
      for await (const chunk of this.#child.stdout)
        for (const message of lines.push(chunk)) {
          if (message.type === 'control_response') this.#settleRequest(toFields(message.response));
          else if (message.type === 'control_request') void this.#answer(message);
          else yield message;
        }
      const why = await this.#ended;
      if (why !== null) throw new Error(`${this.#program}: ${why}`);
    } finally {
      for (const { reject } of this.#waiting.values()) reject(new Error('The program has ended.'));
      this.#waiting.clear();
    }
  }

  #request(request: Fields): Promise<unknown> {
    this.#requests += 1;
    const id = `svc-${this.#requests}`;
    const answer = new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
    this.#write({ type: 'control_request', request_id: id, request });
    return answer;
  }

  #settleRequest({ request_id: id, subtype, response, error }: Fields): void {
    const waiting = this.#waiting.get(toStringOrEmpty(id));
    this.#waiting.delete(toStringOrEmpty(id));
    if (subtype === 'success') waiting?.resolve(response);
    else waiting?.reject(new Error(toStringOrEmpty(error) || 'The program refused.'));
  }

  async #answer({ request_id, request }: Fields): Promise<void> {
    const { subtype, input } = toFields(request);
    const hook = this.#options.hooks?.PreToolUse[0]?.hooks[0];
    const isCall = subtype === 'hook_callback' && hook !== undefined;
    const response = isCall
      ? { subtype: 'success', request_id, response: await hook(input).catch(() => UNCHECKED) }
      : { subtype: 'error', request_id, error: 'svc answers no such request.' };
    this.#write({ type: 'control_response', response });
  }

  #write(message: object): void {
    if (this.#child.stdin.writable) this.#child.stdin.write(`${JSON.stringify(message)}\n`);
  }
}

/**
 * Drives an installed `claude` the way the SDK does, over its stream of JSON lines, so that the SDK
 * is not needed. `program`: its path.
 */
export const createProgramSdk = (program: string): ClaudeSdk => ({
  query: ({ prompt, options }) => new ProgramQuery(program, prompt, options),
});
