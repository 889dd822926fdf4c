import { Readable } from 'node:stream';
import type { Context } from 'koa';
import { UNTRUSTED_CONTENT_POLICY } from '../../api/server/replies/headers.ts';
import type { RunnerReply } from './runnerDirectory.ts';

/** What a runner may answer with. All else is sent as bytes that no browser shows. */
const TYPES: ReadonlySet<string> = new Set([
  'application/json',
  'application/problem+json',
  'text/event-stream',
  'text/plain',
  'application/octet-stream',
]);

const BYTES = 'application/octet-stream';

/** Headers beside type and length, each with the form that its value must have. */
const PASSED: readonly (readonly [string, RegExp])[] = Object.entries({
  etag: /^(?:W\/)?"[\x21\x23-\x7e]{0,200}"$/,
  'x-total-count': /^\d{1,15}$/,
  'x-head-commit': /^[0-9a-f]{4,64}$/,
  'svc-broken-rows': /^\d{1,9}$/,
  'retry-after': /^\d{1,6}$/,
});

/** One or more links to pages of the same list. */
const LINK = /^<\/(?!\/)[A-Za-z0-9\-._~!$&'()*+,;=:@%/?]*>; rel="(?:next|prev|successor-version)"$/;

const readType = (value: string | undefined): string =>
  value?.split(';', 1)[0]?.trim().toLowerCase() ?? '';

/** The paths of a runner's API, as the team has them. */
function moveLinks(value: string | undefined, prefix: string): string | null {
  const links = (value ?? '').split(/, (?=<)/).map((link) => LINK.exec(link));
  if (value === undefined || links.some((link) => link === null)) return null;
  return value.replace(/<\//g, `<${prefix}/`);
}

const readLength = (value: string | undefined): number | null =>
  value !== undefined && /^\d{1,12}$/.test(value) ? Number(value) : null;

/**
 * A body that has the length which its head says. Bytes beyond it would be read as the next reply on the connection, which
 * a proxy in front may give to another person.
 */
async function* keepLength(
  body: AsyncIterable<Uint8Array>,
  length: number,
): AsyncGenerator<Uint8Array> {
  let remainingBytes = length;
  for await (const part of body) {
    if (part.length > remainingBytes) throw new Error('The reply is longer than its head says.');
    remainingBytes -= part.length;
    yield part;
  }
  if (remainingBytes > 0) throw new Error('The reply is shorter than its head says.');
}

/**
 * Sends what a runner has answered. Its bytes are another machine's: only what is listed here passes, no cookie and no
 * page, and what is no answer of the API is a download. `prefix`: what stands before the runner's paths in the team's.
 */
export function sendRunnerReply(
  ctx: Context,
  { status, headers, body, fullBody }: RunnerReply,
  { prefix, isDownload = false }: { prefix: string; isDownload?: boolean },
): void {
  const type = readType(headers['content-type']);
  const isKnown = TYPES.has(type);
  ctx.status = status;
  for (const [name, form] of PASSED) {
    const value = headers[name];
    if (value !== undefined && form.test(value)) ctx.set(name, value);
  }
  const links = moveLinks(headers.link, prefix);
  if (links !== null) ctx.set('Link', links);
  ctx.set('X-Content-Type-Options', 'nosniff');
  // nginx would collect the events of a stream; those that the control plane writes itself say so too.
  if (type === 'text/event-stream') ctx.set('X-Accel-Buffering', 'no');
  if (isDownload || !isKnown || type === BYTES) {
    ctx.set('Content-Disposition', 'attachment');
    ctx.set('Content-Security-Policy', UNTRUSTED_CONTENT_POLICY);
  }
  // Before the body, which would choose a type itself where it finds none.
  ctx.set('Content-Type', isKnown ? withCharset(type) : BYTES);
  const length = readLength(headers['content-length']);
  const isFull = fullBody !== undefined && (length === null || length === fullBody.length);
  ctx.body = isFull ? toBuffer(fullBody) : streamBody(ctx, body, length);
  if (length !== null) ctx.set('Content-Length', String(length));
}

const toBuffer = ({ buffer, byteOffset, length }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, length);

function streamBody(
  ctx: Context,
  body: AsyncIterable<Uint8Array>,
  length: number | null,
): Readable {
  const bytes = Readable.from(length === null ? body : keepLength(body, length), {
    objectMode: false,
  });
  // The reply has begun: only its end can say that it is incomplete.
  bytes.once('error', () => ctx.res.destroy());
  return bytes;
}

const withCharset = (type: string): string =>
  type.startsWith('text/') || type === 'application/json' ? `${type}; charset=utf-8` : type;
