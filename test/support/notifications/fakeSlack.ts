import { FakeReceiver, type Reply } from './fakeReceiver.ts';

export const SLACK_PATH = '/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX';

/** Limits of Block Kit. */
const MOST_BLOCKS = 50;
const MOST_HEADER_CHARS = 150;
const MOST_SECTION_CHARS = 3_000;
const MOST_CONTEXT_ELEMENTS = 10;

interface Block {
  type?: string;
  text?: { type?: string; text?: string };
  elements?: unknown[];
}

function isBlock({ type, text, elements }: Block): boolean {
  const chars = text?.text?.length ?? 0;
  if (type === 'header')
    return text?.type === 'plain_text' && chars > 0 && chars <= MOST_HEADER_CHARS;
  if (type === 'section') return chars > 0 && chars <= MOST_SECTION_CHARS;
  return (
    type === 'context' &&
    (elements?.length ?? 0) > 0 &&
    Number(elements?.length) <= MOST_CONTEXT_ELEMENTS
  );
}

/** An incoming webhook of Slack: its errors are words in a text, and 429 has Retry-After. */
export const createFakeSlack = (): FakeReceiver =>
  new FakeReceiver(({ path, json }): Reply => {
    if (path !== SLACK_PATH)
      return path.startsWith('/services/T00000000/B00000000/')
        ? { status: 403, body: 'invalid_token' }
        : { status: 404, body: 'no_service' };
    if (json === undefined) return { status: 400, body: 'invalid_payload' };
    const { text, blocks } = json as { text?: unknown; blocks?: Block[] };
    if (text === undefined && blocks === undefined) return { status: 400, body: 'no_text' };
    if (blocks !== undefined && (blocks.length > MOST_BLOCKS || !blocks.every(isBlock)))
      return { status: 400, body: 'invalid_blocks' };
    return { status: 200, body: 'ok' };
  });

export const SLACK_LIMITED: Reply = {
  status: 429,
  headers: { 'retry-after': '30' },
  body: 'rate_limited',
};
