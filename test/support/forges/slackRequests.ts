import { createHmac, randomBytes } from 'node:crypto';

/** Longest wait of Slack for an answer, ms. */
const ANSWER_MS = 3_000;

/** The signing secret of a new app: Slack makes it, and no one can choose another. */
export const createSigningSecret = (): string => randomBytes(16).toString('hex');

/** Headers of a request of Slack at a time, epoch ms. */
export function signAsSlack(
  body: Uint8Array,
  signingSecret: string,
  at: number,
): Record<string, string> {
  const timestamp = String(Math.floor(at / 1000));
  const hmac = createHmac('sha256', signingSecret).update(`v0:${timestamp}:`).update(body);
  return {
    'x-slack-request-timestamp': timestamp,
    'x-slack-signature': `v0=${hmac.digest('hex')}`,
  };
}

/** What Slack posts to an address that is entered as the request URL of an app. */
export const createSlackChallenge = (challenge: string): Buffer<ArrayBuffer> =>
  Buffer.from(
    JSON.stringify({ token: 'Jhj5dZrVaK7ZwHHjRyZWjbDl', challenge, type: 'url_verification' }),
  );

/** The challenge in an answer, in one of the three types that Slack reads; null = it has none. */
function readChallenge(type: string, text: string): string | null {
  if (type.startsWith('text/plain')) return text;
  if (type.startsWith('application/x-www-form-urlencoded'))
    return new URLSearchParams(text).get('challenge');
  return type.startsWith('application/json') ? (JSON.parse(text).challenge ?? null) : null;
}

/**
 * Enters an address as the request URL of an app: Slack takes it only once it has answered the challenge. Rejects as
 * the page of the app does.
 */
export async function enterRequestUrl(url: string, signingSecret: string): Promise<void> {
  const challenge = randomBytes(39).toString('base64url');
  const body = createSlackChallenge(challenge);
  const reply = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Slackbot 1.0 (+https://api.slack.com/robots)',
      ...signAsSlack(body, signingSecret, Date.now()),
    },
    body,
    signal: AbortSignal.timeout(ANSWER_MS),
  });
  const text = await reply.text();
  const answer = readChallenge(reply.headers.get('content-type') ?? '', text);
  if (reply.status !== 200 || answer !== challenge)
    throw new Error(
      `Your URL didn't respond with the value of the challenge parameter: ${reply.status} ${text}`,
    );
}
