import { FakeReceiver, type Reply } from './fakeReceiver.ts';

export const SLACK_TOKEN = 'xoxb-0123456789';
export const SLACK_CHANNEL = 'C0123456789';

const refuse = (error: string): Reply => ({ status: 200, body: { ok: false, error } });

/** The Web API of Slack as far as a bot posts and changes messages: its errors are answered with 200. */
export function createFakeSlackApi(): FakeReceiver {
  const posted = new Set<string>();
  return new FakeReceiver(({ path, headers, json }): Reply => {
    if (headers.authorization !== `Bearer ${SLACK_TOKEN}`) return refuse('invalid_auth');
    const { channel, text, blocks, ts } = Object(json) as Record<string, unknown>;
    if (channel !== SLACK_CHANNEL) return refuse('channel_not_found');
    if (typeof text !== 'string' || text === '') return refuse('no_text');
    if (!Array.isArray(blocks) || blocks.length > 50) return refuse('invalid_blocks');
    if (path === '/chat.postMessage') {
      const newTs = `1503435956.${String(posted.size).padStart(6, '0')}`;
      posted.add(newTs);
      return { status: 200, body: { ok: true, channel, ts: newTs, message: { text, blocks } } };
    }
    if (path !== '/chat.update') return refuse('unknown_method');
    if (!posted.has(String(ts))) return refuse('message_not_found');
    return { status: 200, body: { ok: true, channel, ts, text } };
  });
}

export const SLACK_API_LIMITED: Reply = {
  status: 429,
  headers: { 'retry-after': '30' },
  body: { ok: false, error: 'ratelimited' },
};
