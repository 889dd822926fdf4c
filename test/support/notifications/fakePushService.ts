import { createDecipheriv, createECDH, createPublicKey, hkdfSync, verify } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { Reply } from './fakeReceiver.ts';

/** Largest body that a push service must take (RFC 8030, section 7.2). */
const MOST_BODY_BYTES = 4_096;
/** Longest life of a token (RFC 8292, section 2). */
const LONGEST_TOKEN_S = 86_400;
const TOPIC = /^[A-Za-z0-9_-]{1,32}$/;

const decode = (text: string): Buffer => Buffer.from(text, 'base64url');

/** A browser: the keys that only it has, and what it sends to a site that it lets push to it. */
export class FakeBrowser {
  readonly #ecdh = createECDH('prime256v1');
  readonly #auth: Buffer;
  readonly path: string;

  /** `secret`: 16 bytes. */
  constructor(path: string, secret: Buffer) {
    this.path = path;
    this.#auth = secret;
    this.#ecdh.generateKeys();
  }

  toSubscription(serviceUrl: string) {
    return {
      endpoint: `${serviceUrl}${this.path}`,
      keys: {
        p256dh: this.#ecdh.getPublicKey('base64url'),
        auth: this.#auth.toString('base64url'),
      },
      label: 'Chrome on Android',
    };
  }

  /** Reads a message as RFC 8188 and RFC 8291 define `aes128gcm`. Throws where a byte of it is wrong. */
  decrypt(body: Buffer): string {
    const salt = body.subarray(0, 16);
    const recordSize = body.readUInt32BE(16);
    const keyLength = body.readUInt8(20);
    const senderKey = body.subarray(21, 21 + keyLength);
    const record = body.subarray(21 + keyLength);
    if (record.length > recordSize) throw new Error('more than one record');
    const shared = this.#ecdh.computeSecret(senderKey);
    const info = Buffer.concat([
      Buffer.from('WebPush: info\0'),
      this.#ecdh.getPublicKey(),
      senderKey,
    ]);
    const key = hkdf(shared, this.#auth, info, 32);
    const contentKey = hkdf(key, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
    const nonce = hkdf(key, salt, Buffer.from('Content-Encoding: nonce\0'), 12);
    const decipher = createDecipheriv('aes-128-gcm', contentKey, nonce);
    decipher.setAuthTag(record.subarray(-16));
    const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
    const end = padded.lastIndexOf(2);
    if (end < 0 || padded.subarray(end + 1).some((byte) => byte !== 0))
      throw new Error('the last record has no delimiter');
    return padded.subarray(0, end).toString();
  }
}

const hkdf = (secret: Buffer, salt: Buffer, info: Buffer, length: number): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, salt, info, length));

export interface TakenPush {
  path: string;
  headers: IncomingHttpHeaders;
  /** What the browser has read. */
  text: string;
  /** The claims of its token. */
  claims: Record<string, unknown>;
}

/**
 * A push service (RFC 8030) with its browsers, which read what it takes. It knows the key that a
 * subscription was made for and refuses every other one (RFC 8292, section 4.2).
 */
export class FakePushService {
  readonly taken: TakenPush[] = [];
  /** Its next answers, before it looks at a message. */
  readonly refuse: Reply[] = [];
  /** Paths of subscriptions that have ended. */
  readonly gone = new Set<string>();
  readonly #browsers = new Map<string, { browser: FakeBrowser; publicKey: string }>();
  readonly #server: Server;
  onTaken = (): void => {};

  constructor() {
    this.#server = createServer(async (req, res) => {
      const parts: Buffer[] = [];
      for await (const part of req) parts.push(part);
      const { status, headers, body } =
        this.refuse.shift() ?? this.#take(req.url ?? '', req.headers, Buffer.concat(parts));
      res.writeHead(status, headers);
      res.end(typeof body === 'object' ? JSON.stringify(body) : body);
    });
  }

  async start(): Promise<this> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return this;
  }

  get url(): string {
    const address = this.#server.address();
    return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  /** A browser that lets the owner of a public key push to it. */
  addBrowser(browser: FakeBrowser, publicKey: string): void {
    this.#browsers.set(browser.path, { browser, publicKey });
  }

  #take(path: string, headers: IncomingHttpHeaders, body: Buffer): Reply {
    const known = this.#browsers.get(path);
    if (known === undefined) return { status: 404 };
    if (this.gone.has(path))
      return { status: 410, body: 'push subscription has unsubscribed or expired.' };
    if (headers['content-encoding'] !== 'aes128gcm') return { status: 415 };
    if (!/^\d+$/.test(String(headers.ttl))) return { status: 400, body: 'Missing TTL Header' };
    if (headers.topic !== undefined && !TOPIC.test(String(headers.topic)))
      return { status: 400, body: 'Invalid Topic' };
    if (body.length > MOST_BODY_BYTES) return { status: 413, body: 'Payload Too Large' };
    const claims = this.#readClaims(String(headers.authorization), known.publicKey);
    if (typeof claims === 'string') return { status: 403, body: claims };
    this.taken.push({ path, headers, text: known.browser.decrypt(body), claims });
    this.onTaken();
    return { status: 201, headers: { location: `${this.url}/message/${this.taken.length}` } };
  }

  /** The claims of a token that is right (RFC 8292, section 2 and 3), or why it is not. */
  #readClaims(authorization: string, publicKey: string): Record<string, unknown> | string {
    const [, token = '', key = ''] =
      /^vapid t=([A-Za-z0-9._-]+), ?k=([A-Za-z0-9_-]+)$/.exec(authorization) ?? [];
    if (key !== publicKey) return 'the key is not the one that the subscription was made for';
    const [header = '', claims = '', signature = ''] = token.split('.');
    const point = decode(key);
    const jwk = {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    };
    const isSigned = verify(
      'sha256',
      Buffer.from(`${header}.${claims}`),
      { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
      decode(signature),
    );
    if (!isSigned || JSON.parse(decode(header).toString()).alg !== 'ES256')
      return 'the token is not signed by the key';
    const value = JSON.parse(decode(claims).toString()) as Record<string, unknown>;
    const now = Date.now() / 1_000;
    const expiry = Number(value.exp);
    if (value.aud !== this.url) return 'aud is not this service';
    if (!(expiry > now && expiry <= now + LONGEST_TOKEN_S)) return 'exp is wrong';
    if (!/^(mailto:|https:)/.test(String(value.sub))) return 'sub is no address';
    return value;
  }
}

/** What a push service says to who sends too much. */
export const PUSH_LIMITED: Reply = {
  status: 429,
  headers: { 'retry-after': '120' },
  body: 'Too Many Requests',
};
