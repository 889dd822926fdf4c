import compress from 'koa-compress';
import type { Middleware } from 'koa';

/** Replies with fewer bytes are sent as they are. */
const LEAST_BYTES = 1_024;

/** Text, and what is made of text. Streams of events are not among it: each event goes out at once. */
const COMPRESSED =
  /^(?:text\/(?!event-stream)|image\/svg\+xml|application\/(?:[\w.-]+\+)?json|application\/javascript)/;

/** Compresses replies for clients that ask for it, files of the dashboard included. */
export function compressReplies(): Middleware {
  const compressed = compress({
    threshold: LEAST_BYTES,
    filter: (type) => COMPRESSED.test(type),
    encodingPreference: ['br', 'gzip'],
  });
  return (ctx, next) => {
    if (ctx.get('Accept-Encoding') !== '') return compressed(ctx, next);
    // Most senders of webhooks take no encoding: nothing of their replies has to be looked at.
    ctx.res.setHeader('Vary', 'Accept-Encoding');
    return next();
  };
}
