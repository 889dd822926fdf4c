import type { ChatPart, ChatRequest, ChatResult } from '../../../src/contract/planning/chat.ts';
import type { Executor } from '../../../src/contract/session/executor.ts';
import type { Billing } from '../../../src/contract/session/usageReport.ts';

export interface ScriptedTurn {
  request: ChatRequest;
  say(text: string): void;
  part(part: ChatPart): void;
  look(tool: string, args?: Record<string, unknown>): Promise<string>;
  stopped: Promise<void>;
}

export type ChatScript = (turn: ScriptedTurn) => Promise<Partial<ChatResult> | undefined>;

const RESULT: ChatResult = {
  stop: 'end',
  error: null,
  resetsAt: null,
  usage: null,
  contextTokens: null,
  rounds: 0,
  resume: null,
};

/** An executor whose chats follow a script, and which keeps what it was asked. */
export class ScriptedChats implements Executor {
  readonly id = 'scripted';
  readonly capabilities = {
    steering: false,
    foldMidTurn: false,
    cancelsToolCalls: true,
    resume: false,
    skills: false,
    systemPrompt: true,
    chat: 'own-loop' as const,
  };
  readonly requests: ChatRequest[] = [];
  script: ChatScript;
  lack: string | null = null;
  endpoint = 'http://127.0.0.1:11434/v1';

  constructor(script: ChatScript) {
    this.script = script;
  }

  lacks(): string | null {
    return this.lack;
  }

  /** A model of this machine. */
  billing(): Billing {
    return { endpoint: this.endpoint, vendor: null, paidBy: 'unknown', model: null };
  }

  run(): never {
    throw new Error('a chat runs no session');
  }

  async endOrphans(): Promise<number> {
    return 0;
  }

  async chat(request: ChatRequest) {
    this.requests.push(request);
    return { result: this.#play(request) };
  }

  async #play(request: ChatRequest): Promise<ChatResult> {
    const part = (one: ChatPart) => void request.onPart(one);
    const { signal } = request;
    let rounds = 0;
    const result = await this.script({
      request,
      part,
      say: (text) => part({ type: 'token', text }),
      async look(name, args = {}) {
        const tool = request.tools.find((one) => one.name === name);
        if (!tool) return `The tool ${name} does not exist.`;
        rounds += 1;
        part({ type: 'round', n: rounds });
        return (await tool.run(args, signal)).text;
      },
      stopped: new Promise((resolve) => {
        if (signal.aborted) resolve();
        else signal.addEventListener('abort', () => resolve(), { once: true });
      }),
    });
    const stop = signal.aborted ? 'interrupted' : 'end';
    return { ...RESULT, rounds, stop, ...result };
  }
}
