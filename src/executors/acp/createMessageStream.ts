import type { Readable, Writable } from 'node:stream';
import type { AnyMessage, Stream } from '@agentclientprotocol/sdk';

/** Longest message of an agent, bytes: it may contain a file that the agent has read. */
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;
const NEWLINE = 0x0a;

interface StreamOptions {
  stdin: Writable;
  stdout: Readable;
  /** Called for each `session/update` in the order of the wire; these are not passed on. */
  onUpdate(params: unknown): void;
  onNoise(line: string): void;
  /** More is read only after this has resolved. */
  awaitKept(): Promise<unknown>;
}

const isMessage = (value: unknown): value is AnyMessage =>
  typeof value === 'object' &&
  value !== null &&
  'jsonrpc' in value &&
  value.jsonrpc === '2.0' &&
  ('method' in value || 'id' in value);

/** Lines of a byte stream. Throws when one is too long. */
async function* splitByteLines(stdout: Readable): AsyncGenerator<string> {
  let parts: Buffer[] = [];
  let heldChars = 0;
  for await (const chunk of stdout as AsyncIterable<Buffer>) {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
      const line = Buffer.concat([...parts, chunk.subarray(from, end)]).toString('utf8');
      parts = [];
      heldChars = 0;
      from = end + 1;
      yield line;
    }
    parts.push(chunk.subarray(from));
    heldChars += chunk.length - from;
    if (heldChars > MAX_MESSAGE_BYTES)
      throw new Error(`The agent sent a message of more than ${MAX_MESSAGE_BYTES} bytes.`);
  }
}

/**
 * Messages of an agent, one line of JSON each. They are read no faster than they can be kept, so an
 * agent that floods fills its own pipe and not our memory. Updates are taken out here, so that the
 * answer that follows them cannot overtake them.
 */
export function createMessageStream({
  stdin,
  stdout,
  onUpdate,
  onNoise,
  awaitKept,
}: StreamOptions): Stream {
  const lines = splitByteLines(stdout);
  const readable = new ReadableStream<AnyMessage>(
    {
      async pull(controller) {
        for (;;) {
          await awaitKept();
          const next = await lines.next();
          if (next.done) return controller.close();
          const line = next.value.trim();
          const message = line === '' ? null : parseAcpMessage(line);
          if (message === null) {
            if (line !== '') onNoise(line);
            continue;
          }
          if ('method' in message && message.method === 'session/update') onUpdate(message.params);
          else return controller.enqueue(message);
        }
      },
    },
    { highWaterMark: 0 },
  );
  const writable = new WritableStream<AnyMessage>({
    write: (message) =>
      new Promise((resolve, reject) => {
        stdin.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()));
      }),
  });
  return { readable, writable };
}

function parseAcpMessage(line: string): AnyMessage | null {
  try {
    const value: unknown = JSON.parse(line);
    return isMessage(value) ? value : null;
  } catch {
    return null;
  }
}
