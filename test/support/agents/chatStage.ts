import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Scripts } from '../../../demo/model/script.ts';
import { type ModelServer, openModelServer } from '../../../demo/model/server.ts';
import type {
  ChatPart,
  ChatRequest,
  ChatResult,
  ChatRun,
} from '../../../src/contract/planning/chat.ts';
import type { Executor } from '../../../src/contract/session/executor.ts';
import { inTime } from '../inTime.ts';
import { type LookedUp, openChatHost, shopTools } from './chatTools.ts';

export interface ChatStage {
  /** Holds {@link ChatRequest.stateDir} and nothing else. */
  root: string;
  model: ModelServer;
  executor: Executor;
  request: ChatRequest;
  parts: ChatPart[];
  seen: LookedUp[];
  /** Resolves when a part, past or to come, matches. */
  until(matches: (part: ChatPart) => boolean): Promise<ChatPart>;
  start(changes?: Partial<ChatRequest>): Promise<ChatRun>;
  play(changes?: Partial<ChatRequest>): Promise<ChatResult>;
  [Symbol.asyncDispose](): Promise<void>;
}

let serial = 0;

/** `open`: the executor, asking its model at this address. */
export async function openChatStage(
  open: (modelUrl: string) => Executor | Promise<Executor>,
  scripts: Scripts,
  changes: Partial<ChatRequest> = {},
): Promise<ChatStage> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'svc-chat-')));
  const stateDir = join(root, 'state');
  await mkdir(stateDir, { mode: 0o700 });
  const model = await openModelServer({ scripts });
  const host = await openChatHost();
  const executor = await open(model.url);
  const seen: LookedUp[] = [];
  const parts: ChatPart[] = [];
  const opened: { close(): void }[] = [];
  let waiting: { matches(part: ChatPart): boolean; resolve(part: ChatPart): void }[] = [];
  serial += 1;
  const request: ChatRequest = {
    sessionId: 'inv-1',
    turn: 1,
    system: 'You look and do not touch.',
    history: [],
    message: '@@work What is the price?',
    tools: shopTools(seen),
    llm: { provider: executor.id, model: 'claude-sonnet-4-5', reasoningEffort: null },
    maxRounds: 25,
    resume: null,
    stateDir,
    async toolServer(tools) {
      const server = host.open(tools);
      opened.push(server);
      return server;
    },
    env: { PATH: process.env.PATH ?? '/usr/bin:/bin', LANG: 'C.UTF-8' },
    marker: `chat-${process.pid}-${serial}`,
    screen: (text) => text.replaceAll('secret-4711', '[secret]'),
    signal: new AbortController().signal,
    onPart(part) {
      parts.push(part);
      const fulfilled = waiting.filter(({ matches }) => matches(part));
      waiting = waiting.filter((one) => !fulfilled.includes(one));
      for (const { resolve } of fulfilled) resolve(part);
      return undefined;
    },
    ...changes,
  };
  const start = (more: Partial<ChatRequest> = {}): Promise<ChatRun> => {
    if (!executor.chat) throw new Error(`${executor.id} has no chat.`);
    return executor.chat({ ...request, ...more });
  };
  return {
    root,
    model,
    executor,
    request,
    parts,
    seen,
    start,
    play: async (more) => (await start(more)).result,
    until(matches) {
      const match = parts.find(matches);
      if (match) return Promise.resolve(match);
      const part = new Promise<ChatPart>((resolve) => waiting.push({ matches, resolve }));
      return inTime(part, () => `a part with ${matches}; so far: ${JSON.stringify(parts)}`);
    },
    async [Symbol.asyncDispose]() {
      for (const server of opened) server.close();
      await Promise.all([model.close(), host[Symbol.asyncDispose]()]);
      await rm(root, { recursive: true, force: true });
    },
  };
}

/** What the turn has said: what came before an answer broke off is left out. */
export const joinParts = (
  parts: readonly ChatPart[],
  type: 'token' | 'thinking' = 'token',
): string => parts.flatMap((part) => (part.type === type ? [part.text] : [])).join('');
