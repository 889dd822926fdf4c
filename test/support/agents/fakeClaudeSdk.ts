import type {
  ClaudeSdk,
  Query,
  QueryOptions,
  UserMessage,
} from '../../../src/executors/claude/sdk.ts';

export interface ProgramPart {
  /** Resolves with the next message of the input; null = the input is closed. */
  next(): Promise<UserMessage | null>;
  /** Resolves when it is interrupted; the acknowledgement is given when the next part is played. */
  interrupted(): Promise<void>;
  options: QueryOptions;
}

/** Plays messages as the real program sends them. */
export type Program = (part: ProgramPart) => AsyncGenerator<Record<string, unknown>, void>;

export interface FakeSdk extends ClaudeSdk {
  calls: string[];
  acknowledges: boolean;
}

export function fakeSdk(program: Program): FakeSdk {
  const calls: string[] = [];
  const sdk: FakeSdk = {
    calls,
    acknowledges: true,
    query({ prompt, options }) {
      const input = prompt[Symbol.asyncIterator]();
      let stop = () => {};
      let stopped = new Promise<void>((resolve) => {
        stop = resolve;
      });
      const part: ProgramPart = {
        options,
        async next() {
          const item = await input.next();
          calls.push(item.done ? 'input closed' : `got ${item.value.message.content}`);
          return item.done ? null : item.value;
        },
        async interrupted() {
          await stopped;
          stopped = new Promise((resolve) => {
            stop = resolve;
          });
        },
      };
      const query: Query = {
        [Symbol.asyncIterator]: () => program(part)[Symbol.asyncIterator](),
        interrupt() {
          calls.push('interrupt');
          if (!sdk.acknowledges) return new Promise(() => {});
          stop();
          return Promise.resolve({ still_queued: [] });
        },
        reconnectMcpServer(name) {
          calls.push(`reconnect ${name}`);
          return Promise.resolve();
        },
        close: () => void calls.push('close'),
      };
      return query;
    },
  };
  return sdk;
}

export const says = {
  init: (session_id = 'session-1') => ({ type: 'system', subtype: 'init', session_id }),
  started: ({ uuid }: { uuid: string }) => ({
    type: 'command_lifecycle',
    command_uuid: uuid,
    state: 'started',
  }),
  queued: ({ uuid }: { uuid: string }) => ({
    type: 'command_lifecycle',
    command_uuid: uuid,
    state: 'queued',
  }),
  begin: () => ({
    type: 'stream_event',
    parent_tool_use_id: null,
    event: { type: 'message_start' },
  }),
  text: (text: string) => ({
    type: 'stream_event',
    parent_tool_use_id: null,
    event: { type: 'content_block_delta', delta: { type: 'text_delta', text } },
  }),
  use: (id: string, name: string, input: object) => ({
    type: 'assistant',
    parent_tool_use_id: null,
    message: { content: [{ type: 'tool_use', id, name, input }] },
  }),
  used: (tool_use_id: string, content: string, is_error = false) => ({
    type: 'user',
    parent_tool_use_id: null,
    message: { content: [{ type: 'tool_result', tool_use_id, content, is_error }] },
  }),
  result: (more: Record<string, unknown> = {}) => ({
    type: 'result',
    subtype: 'success',
    is_error: false,
    stop_reason: 'end_turn',
    result: 'Done.',
    ...more,
  }),
};
