import { createServer, type ServerResponse } from 'node:http';
import { openModel, type OpenModel } from '../../../../src/executors/builtin/languageModel.ts';

export type Wire = 'anthropic' | 'openai';

export type OddReply =
  | { status?: number; type?: string | null; body: string | Buffer }
  | ((res: ServerResponse) => void | Promise<void>);

export interface OddEndpoint {
  url: string;
  asked: Record<string, unknown>[];
  open(wire: Wire): Promise<OpenModel>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** `answer`: to the request with this number, from 0, and this body. */
export async function openOddEndpoint(
  answer: (n: number, body: Record<string, unknown>) => OddReply,
): Promise<OddEndpoint> {
  const asked: Record<string, unknown>[] = [];
  const server = createServer(async (req, res) => {
    let text = '';
    for await (const part of req) text += part;
    const body = JSON.parse(text || '{}');
    const reply = answer(asked.push(body) - 1, body);
    if (typeof reply === 'function') return reply(res);
    const { status = 200, type = 'application/json', body: content } = reply;
    res.writeHead(status, type === null ? {} : { 'content-type': type }).end(content);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/v1`;
  return {
    url,
    asked,
    open: (wire) =>
      openModel({ api: wire, baseUrl: url, apiKey: 'key-of-the-endpoint' }, 'm', null),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export const events = (pieces: readonly unknown[], isDone = true): string =>
  pieces
    .map((piece) => `data: ${typeof piece === 'string' ? piece : JSON.stringify(piece)}\n\n`)
    .join('') + (isDone ? 'data: [DONE]\n\n' : '');

export const rightAnswer = (wire: Wire, text: string): Record<string, unknown>[] =>
  wire === 'openai'
    ? [
        {
          id: 'a',
          model: 'm',
          choices: [{ index: 0, delta: { role: 'assistant', content: text } }],
        },
        { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
        { choices: [], usage: { prompt_tokens: 500, completion_tokens: 7 } },
      ]
    : [
        {
          type: 'message_start',
          message: {
            id: 'a',
            type: 'message',
            role: 'assistant',
            model: 'm',
            content: [],
            usage: { input_tokens: 500, output_tokens: 1 },
          },
        },
        { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
        { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
        { type: 'content_block_stop', index: 0 },
        { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 7 } },
        { type: 'message_stop' },
      ];
