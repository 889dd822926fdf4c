import { FakeReceiver, type Reply } from './fakeReceiver.ts';

export const DISCORD_PATH = '/api/webhooks/1234567890/token-of-the-webhook';

/** Limits of messages and embeds, in characters. */
const MOST_CONTENT_CHARS = 2_000;
const MOST_EMBEDS = 10;
const MOST_TITLE_CHARS = 256;
const MOST_DESCRIPTION_CHARS = 4_096;
const MOST_FOOTER_CHARS = 2_048;
const MOST_EMBEDS_CHARS = 6_000;

interface Embed {
  title?: string;
  description?: string;
  footer?: { text?: string };
}

const countChars = ({ title = '', description = '', footer }: Embed): number =>
  title.length + description.length + (footer?.text ?? '').length;

const isEmbed = ({ title = '', description = '', footer }: Embed): boolean =>
  title.length <= MOST_TITLE_CHARS &&
  description.length <= MOST_DESCRIPTION_CHARS &&
  (footer?.text ?? '').length <= MOST_FOOTER_CHARS;

/** A webhook of Discord, which answers with 204, and with errors as JSON. */
export const createFakeDiscord = (): FakeReceiver =>
  new FakeReceiver(({ path, json }): Reply => {
    if (!path.startsWith('/api/webhooks/1234567890/'))
      return { status: 404, body: { message: 'Unknown Webhook', code: 10015 } };
    if (path !== DISCORD_PATH)
      return { status: 401, body: { message: 'Invalid Webhook Token', code: 50027 } };
    const { content = '', embeds = [] } = (json ?? {}) as { content?: string; embeds?: Embed[] };
    if (content === '' && embeds.length === 0)
      return { status: 400, body: { message: 'Cannot send an empty message', code: 50006 } };
    const fits =
      content.length <= MOST_CONTENT_CHARS &&
      embeds.length <= MOST_EMBEDS &&
      embeds.every(isEmbed) &&
      embeds.reduce((sum, embed) => sum + countChars(embed), 0) <= MOST_EMBEDS_CHARS;
    return fits
      ? { status: 204 }
      : { status: 400, body: { message: 'Invalid Form Body', code: 50035, errors: {} } };
  });

export const DISCORD_LIMITED: Reply = {
  status: 429,
  headers: { 'retry-after': '65' },
  body: { message: 'You are being rate limited.', retry_after: 64.57, global: false },
};
