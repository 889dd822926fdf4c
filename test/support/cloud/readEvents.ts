import type { TestControlPlane } from './startTestControlPlane.ts';

interface ServerEvent {
  event: string;
  id: string;
  data: string;
}

const toEvent = (block: string): ServerEvent => {
  const read = (name: string) =>
    block
      .split('\n')
      .find((line) => line.startsWith(`${name}: `))
      ?.slice(name.length + 2) ?? '';
  return { event: read('event'), id: read('id'), data: read('data') };
};

/** Server-sent events of a node. The first block, which has no event, has come when it resolves. */
export async function readEvents(
  node: Pick<TestControlPlane, 'ask'>,
  path: string,
  init: RequestInit = {},
) {
  const leaving = new AbortController();
  const reply = await node.ask(path, { ...init, signal: leaving.signal });
  if (!reply.ok || reply.body === null) throw new Error(`${path}: ${reply.status}`);
  const reader = reply.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const nextBlock = async (): Promise<string> => {
    for (;;) {
      const end = text.indexOf('\n\n');
      if (end >= 0) {
        const block = text.slice(0, end);
        text = text.slice(end + 2);
        return block;
      }
      const { value, done } = await reader.read();
      if (done) throw new Error('the stream has ended');
      text += value;
    }
  };
  await nextBlock();
  return {
    async next(event: string): Promise<ServerEvent> {
      for (;;) {
        const one = toEvent(await nextBlock());
        if (one.event === event) return one;
      }
    },
    async close(): Promise<void> {
      leaving.abort();
      await reader.cancel().catch(() => undefined);
    },
  };
}
