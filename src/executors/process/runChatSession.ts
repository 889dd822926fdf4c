import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ChatPart, ChatRequest, ChatResult, ChatRun } from '../../contract/planning/chat.ts';
import type {
  Session,
  SessionEvent,
  SessionRequest,
  SessionResult,
} from '../../contract/session/executor.ts';
import type { TurnStop } from '../../base/jobs/stopReasons.ts';
import { removeColours } from '../../base/output/colouredText.ts';
import { toErrorMessage } from '../../base/errors/errors.ts';
import { BoundedLookUps } from './boundedLookUps.ts';
import { buildChatPrompt } from './buildChatPrompt.ts';

/** Longest turn, ms: an hour. */
const TURN_MS = 3_600_000;
/** Most that a program may say and think in a turn, bytes. */
const TURN_BYTES = 16 * 1024 * 1024;
/** How long a program has to stop when its turn is interrupted, ms. */
const STOP_GRACE_MS = 2_000;

const EMPTY = 'The model answered with neither text nor a look-up.';

/** Folders of a chat's program, all below the folder of the chat. */
export const resolveChatFolders = (stateDir: string) => ({
  /** Empty: no repository is on the disk. */
  cwd: join(stateDir, 'cwd'),
  home: join(stateDir, 'home'),
  tmp: join(stateDir, 'tmp'),
  session: join(stateDir, 'session'),
  /** Never created: a chat has no overlay. */
  overlay: join(stateDir, 'overlay'),
});

export interface ChatSessionOptions {
  request: ChatRequest;
  resume: string | null;
  command: readonly string[] | null;
  /** The lines that the program writes are its answer. */
  linesAreAnswer: boolean;
  /** `again`: called when a broken-off answer is asked for again. */
  start(request: SessionRequest, again: () => void): Promise<Session>;
}

function toChatStop(
  { stopReason, error }: SessionResult,
  last: TurnStop | null,
  isUsedUp: boolean,
  hasSpoken: boolean,
): Pick<ChatResult, 'stop' | 'error'> {
  const end = isUsedUp ? ('rounds' as const) : ('end' as const);
  if (stopReason === 'interrupted' && isUsedUp) return { stop: 'rounds', error: null };
  if (stopReason === 'interrupted' || stopReason === 'quota') return { stop: stopReason, error };
  if (stopReason === 'end_turn' || stopReason === 'pause_turn') {
    return hasSpoken || isUsedUp ? { stop: end, error: null } : { stop: 'error', error: EMPTY };
  }
  if (stopReason === 'stuck') {
    if (last === 'refusal') return { stop: 'refusal', error: null };
    if (last === 'max_tokens') return { stop: 'cut', error: null };
    if (last === 'max_turns' || isUsedUp) return { stop: 'rounds', error: null };
    if (last === 'empty')
      return hasSpoken ? { stop: end, error: null } : { stop: 'error', error: EMPTY };
  }
  return { stop: 'error', error: error ?? 'The agent failed.' };
}

/**
 * One turn of a chat as a session of a program that has only the tools of the chat. Everything that
 * it writes is below the folder of the chat. Rejects if the session cannot be started.
 */
export async function runChatSession({
  request,
  resume,
  command,
  linesAreAnswer,
  start,
}: ChatSessionOptions): Promise<ChatRun> {
  const { sessionId, turn, stateDir, signal } = request;
  const folders = resolveChatFolders(stateDir);
  await Promise.all(
    [folders.cwd, folders.home, folders.tmp].map((dir) =>
      mkdir(dir, { recursive: true, mode: 0o700 }),
    ),
  );
  let hasSpoken = false;
  let stop = () => {};
  const tell = (part: ChatPart) => {
    if (part.type === 'token') hasSpoken ||= part.text.trim() !== '';
    return request.onPart(part);
  };
  const lookUps = new BoundedLookUps(request.tools, request.maxRounds, {
    onRound: (n) => void tell({ type: 'round', n }),
    onStubborn: () => stop(),
  });
  const tools = await request.toolServer(lookUps.tools);
  const sandbox = await request.sandbox?.({ toolUrl: tools.url, sessionDir: folders.session });
  let last: TurnStop | null = null;
  let conversation: string | null = null;
  let close = () => {};
  const onEvent = (event: SessionEvent): Promise<unknown> | undefined => {
    if (event.type === 'token' || event.type === 'thinking') return tell(event);
    if (event.type === 'usage' || event.type === 'limits') return tell(event);
    if (event.type === 'session') conversation = event.id;
    if (event.type === 'turn') {
      last = event.stopReason;
      close();
    }
    if (event.type !== 'log') return undefined;
    if (event.stream === 'control') return tell({ type: 'note', text: event.line });
    return linesAreAnswer && event.stream === 'stdout'
      ? tell({ type: 'token', text: `${removeColours(event.line)}\n` })
      : undefined;
  };
  const session = await start(
    {
      jobId: sessionId,
      visit: turn,
      session: 1,
      phase: 'chat',
      cwd: folders.cwd,
      sessionDir: folders.session,
      overlayDir: folders.overlay,
      systemPrompt: request.system,
      kickoff: resume === null ? buildChatPrompt(request) : request.message,
      resume,
      tools,
      mcpServers: [],
      builtInTools: [],
      llm: request.llm,
      command,
      env: { ...request.env, HOME: folders.home, TMPDIR: folders.tmp },
      limits: { timeMs: TURN_MS, outputBytes: TURN_BYTES },
      marker: request.marker,
      ...(sandbox ? { sandbox } : {}),
      screen: (text) => request.screen(text),
      onEvent,
    },
    () => void tell({ type: 'again' }),
  );
  close = () => session.steering?.close();
  if (last !== null) close();
  stop = () => void session.end(STOP_GRACE_MS);
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  const result = session.result
    .catch(
      (error: unknown): SessionResult => ({
        stopReason: 'error',
        error: toErrorMessage(error),
        usage: null,
      }),
    )
    .then((sessionResult): ChatResult => {
      signal.removeEventListener('abort', stop);
      const end = signal.aborted
        ? { stop: 'interrupted' as const, error: null }
        : toChatStop(sessionResult, last, lookUps.isUsedUp, hasSpoken);
      return {
        ...end,
        error: end.error && request.screen(end.error),
        resetsAt: sessionResult.resetsAt ?? null,
        ...(end.stop === 'quota' && sessionResult.quota ? { quota: sessionResult.quota } : {}),
        usage: sessionResult.usage,
        contextTokens: null,
        rounds: lookUps.rounds,
        resume: conversation,
      };
    });
  return { result };
}
