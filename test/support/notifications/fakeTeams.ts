import { FakeReceiver, type Reply } from './fakeReceiver.ts';

export const TEAMS_PATH = '/workflows/0123/triggers/manual/paths/invoke?sig=signature';

/** 28 KB. */
const MOST_BYTES = 28_672;

interface Attachment {
  contentType?: string;
  content?: { type?: string; version?: string; body?: unknown[] };
}

const isCard = ({ contentType, content }: Attachment): boolean =>
  contentType === 'application/vnd.microsoft.card.adaptive' &&
  content?.type === 'AdaptiveCard' &&
  content.version !== undefined &&
  (content.body?.length ?? 0) > 0;

/** A workflow of Teams that posts what its webhook gets: it answers with 202. */
export const createFakeTeams = (): FakeReceiver =>
  new FakeReceiver(({ path, text, json }): Reply => {
    if (path !== TEAMS_PATH)
      return {
        status: 401,
        body: {
          error: {
            code: 'AuthorizationFailed',
            message: 'The authentication credentials are not valid.',
          },
        },
      };
    if (Buffer.byteLength(text) > MOST_BYTES)
      return {
        status: 413,
        body: { error: { code: 'RequestEntityTooLarge', message: 'Request Entity too large' } },
      };
    const { type, attachments = [] } = (json ?? {}) as {
      type?: string;
      attachments?: Attachment[];
    };
    if (type !== 'message' || attachments.length === 0 || !attachments.every(isCard))
      return {
        status: 400,
        body: {
          error: {
            code: 'TriggerInputSchemaMismatch',
            message: "The input body for trigger 'manual' did not match its schema definition.",
          },
        },
      };
    return { status: 202 };
  });

export const TEAMS_LIMITED: Reply = {
  status: 429,
  headers: { 'retry-after': '45' },
  body: { error: { code: 'TooManyRequests', message: 'Rate limit is exceeded.' } },
};
