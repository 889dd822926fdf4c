import { clip } from '../../base/text/clip.ts';
import { SvcError } from '../../base/errors/errors.ts';
import { htmlToPlainText } from '../../base/text/htmlToPlainText.ts';
import type { GuardedRequest, GuardedAnswer } from '../../contract/forge/guardedRequest.ts';

export const DEFAULT_TIMEOUT_SECONDS = 30;
/** Most of a server's own words in a message, characters. */
const MAX_WORDS = 500;

export type ServerConfig = Readonly<Record<string, string | number | boolean>>;

export interface ObservabilityServer {
  /** For messages. */
  name: 'Loki' | 'Tempo';
  /** Without a slash at its end. */
  base: string;
  headers: Readonly<Record<string, string>>;
  timeoutMs: number;
  request: GuardedRequest;
}

/** Throws SvcError `config-invalid` for a text that is not an address, and for a login in two ways. */
export function createObservabilityServer(
  name: ObservabilityServer['name'],
  config: ServerConfig,
  request: GuardedRequest,
): ObservabilityServer {
  const id = name.toLowerCase();
  const wrong = (what: string) =>
    new SvcError('config-invalid', `plugins.installed.${id}.config: ${what}`);
  const base = String(config.baseUrl).replace(/\/+$/, '');
  const url = URL.canParse(base) ? new URL(base) : null;
  if (
    url === null ||
    !/^https?:$/.test(url.protocol) ||
    url.username !== '' ||
    url.search !== '' ||
    url.hash !== ''
  )
    throw wrong(
      '"baseUrl" must be an address that starts with https:// or http://, without user name and query.',
    );
  const [token, username, password, tenant] = ['token', 'username', 'password', 'tenant'].map(
    (key) => String(config[key] ?? ''),
  );
  if (token && (username || password))
    throw wrong('give "token", or "username" and "password", not both.');
  if (Boolean(username) !== Boolean(password))
    throw wrong('"username" and "password" belong together.');
  if (/[^\x20-\x7e]/.test(`${token}${tenant}`))
    throw wrong('"token" and "tenant" may contain only printable ASCII characters.');
  const seconds = Number(config.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS);
  if (seconds < 1 || seconds > 300) throw wrong('"timeoutSeconds" must be from 1 to 300.');
  return {
    name,
    base,
    request,
    timeoutMs: seconds * 1000,
    headers: {
      accept: 'application/json',
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(username
        ? { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` }
        : {}),
      ...(tenant ? { 'x-scope-orgid': tenant } : {}),
    },
  };
}

const quoteServerWords = ({ text }: GuardedAnswer): string => {
  const words = htmlToPlainText(text);
  if (words === '') return '';
  return ` It says: ${clip(words, MAX_WORDS, () => '…')}`;
};

/**
 * Explains a refusal; the server's own words are kept, since they locate the mistake in a query.
 */
function createServerRefusal(
  { name, base }: ObservabilityServer,
  answer: GuardedAnswer,
  what: string,
): SvcError {
  const { status, retryAfter } = answer;
  const settings = `plugins.installed.${name.toLowerCase()}.config`;
  const { host } = new URL(base);
  if (status === 400 || status === 422)
    return new SvcError('bad-argument', `${name} rejects the query.${quoteServerWords(answer)}`);
  if (status === 401)
    return new SvcError(
      'config-invalid',
      `${host} requires a valid login for ${name}: a person must fix ${settings}.`,
    );
  if (status === 403)
    return new SvcError(
      'forbidden',
      `${host} does not let this login read ${name}.${quoteServerWords(answer)}`,
    );
  if (status === 404) return new SvcError('not-found', `${what}${quoteServerWords(answer)}`);
  if (status === 429) {
    const when =
      retryAfter === undefined
        ? 'Request less, or try again later.'
        : `Try again after ${retryAfter} s.`;
    return new SvcError(
      'rate-limited',
      `${name} accepts no more requests now. ${when}${quoteServerWords(answer)}`,
    );
  }
  if (status >= 300 && status < 400)
    return new SvcError(
      'config-invalid',
      `${host} sends ${name}'s requests elsewhere: ${settings}.baseUrl is not its address.`,
    );
  return new SvcError(
    'unreachable',
    `${name} at ${host} answered ${status}.${quoteServerWords(answer)}`,
  );
}

export function createWrongServerError({
  name,
  base,
}: Pick<ObservabilityServer, 'name' | 'base'>): SvcError {
  const place = `plugins.installed.${name.toLowerCase()}.config.baseUrl`;
  return new SvcError(
    'config-invalid',
    `${new URL(base).host} answers, but not as ${name} does: a person must fix ${place}.`,
  );
}

/**
 * Asks the server once. Throws SvcError `bad-argument` (with its words about the query),
 * `config-invalid`, `forbidden`, `not-found` (with `missing`), `rate-limited`, `unreachable`.
 */
export async function askObservability(
  server: ObservabilityServer,
  path: string,
  query: Readonly<Record<string, string>>,
  { signal, missing }: { signal: AbortSignal; missing: string },
): Promise<unknown> {
  const url = new URL(`${server.base}${path}`);
  for (const [key, value] of Object.entries(query)) url.searchParams.set(key, value);
  const { headers, timeoutMs, request } = server;
  const answer = await request(url.href, { headers, timeoutMs, signal });
  if (answer.status !== 200) throw createServerRefusal(server, answer, missing);
  try {
    return JSON.parse(answer.text);
  } catch {
    throw createWrongServerError(server);
  }
}
