import type { PushMessage } from '../../src/contract/schema/runner/pushMessage.ts';

/** A message of the runner; one that cannot be read still says that there is something. */
export function parsePushMessage(text: string): PushMessage {
  const { title, body, tag, hash, at, silent } = parseObject(text);
  return {
    title: typeof title === 'string' && title !== '' ? title : 'svc needs you',
    body: typeof body === 'string' ? body : '',
    tag: typeof tag === 'string' && tag !== '' ? tag : 'inbox',
    hash: typeof hash === 'string' && hash.startsWith('#/') ? hash : '#/inbox',
    at: typeof at === 'number' && Number.isFinite(at) ? at : 0,
    silent: silent === true,
  };
}

function parseObject(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text)) as Record<string, unknown>;
  } catch {
    return {};
  }
}
