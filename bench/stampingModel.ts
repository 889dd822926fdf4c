import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

const event = (type: string, data: object): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;

/** Between two parts, ms: long enough that no two are joined. */
const PAUSE_MS = 40;

async function answer(res: ServerResponse, parts: number, padding: string): Promise<void> {
  res.writeHead(200, { 'content-type': 'text/event-stream' });
  const usage = { input_tokens: 10, output_tokens: 1 };
  const message = {
    id: 'm',
    type: 'message',
    role: 'assistant',
    content: [],
    model: 'bench',
    usage,
  };
  res.write(event('message_start', { message }));
  const block = { type: 'text', text: '' };
  res.write(event('content_block_start', { index: 0, content_block: block }));
  for (let n = 0; n < parts; n++) {
    await wait(PAUSE_MS);
    const text = `@${performance.now()}@${padding}`;
    res.write(event('content_block_delta', { index: 0, delta: { type: 'text_delta', text } }));
  }
  res.write(event('content_block_stop', { index: 0 }));
  res.write(event('message_delta', { delta: { stop_reason: 'end_turn' }, usage }));
  res.end(event('message_stop', {}));
}

/** A model endpoint whose parts say when they were sent. */
export async function openStampingModel({
  parts,
  padding = '',
}: {
  parts: number;
  padding?: string;
}): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((req, res) => {
    req.resume();
    req.on('end', () => void answer(res, parts, padding));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** When the part in a text was sent; null = it has no stamp. */
export const stampIn = (text: string): number | null => {
  const [, at] = /@([\d.]+)@/.exec(text) ?? [];
  return at === undefined ? null : Number(at);
};
