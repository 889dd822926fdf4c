import { FakeReceiver, type Reply } from './fakeReceiver.ts';

export const NTFY_TOPIC = 'svc-topic';
export const NTFY_TOKEN = 'tk_0123456789';

/** Longer messages become attachments, which this server does not allow, bytes. */
const MOST_MESSAGE_BYTES = 4_096;
const LINK = 'https://ntfy.sh/docs/publish/';

const refuse = (code: number, error: string): Reply => {
  const http = Math.floor(code / 100);
  return { status: http, body: { code, http, error, link: LINK } };
};

/** A server of ntfy with a protected topic. It does not say how long to wait after 429. */
export const createFakeNtfy = (): FakeReceiver =>
  new FakeReceiver(({ path, headers, json }): Reply => {
    if (path !== '/') return refuse(40_401, 'page not found');
    if (json === undefined)
      return refuse(40_024, 'invalid request: request body must be valid JSON');
    const { authorization } = headers;
    if (authorization === undefined) return refuse(40_301, 'forbidden');
    if (authorization !== `Bearer ${NTFY_TOKEN}`) return refuse(40_101, 'unauthorized');
    const { topic, message, title, priority } = json;
    if (topic !== NTFY_TOPIC) return refuse(40_009, 'invalid request: topic invalid');
    if (typeof priority !== 'number' || priority < 1 || priority > 5)
      return refuse(40_007, 'invalid priority parameter');
    if (Buffer.byteLength(String(message)) > MOST_MESSAGE_BYTES)
      return refuse(40_014, 'invalid request: attachments not allowed');
    return {
      status: 200,
      body: { id: 'sPs71M8A2T', time: 0, expires: 1, event: 'message', topic, title, message },
    };
  });

export const NTFY_LIMITED = refuse(42_901, 'limit reached: too many requests');
