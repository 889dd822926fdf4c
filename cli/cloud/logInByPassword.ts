import { SvcError } from '../../src/base/errors/errors.ts';
import { createAuthorizationRequest, finishAuthorization } from './authorizationRequest.ts';
import { type CloudPlace, sendToCloud } from './cloudRequest.ts';
import type { CloudMetadata, Tokens } from './oauthTokens.ts';

/** Nothing listens there: the redirect is read, not followed. */
const REDIRECT_URI = 'http://127.0.0.1/callback';
/** Redirects of one login, with room. */
const MOST_STEPS = 10;

const PASSWORD_FIELD = /<input [^>]*name="password"/;
const TOKEN_FIELD = /<input type="hidden" name="csrf" value="([^"]*)">/;

/** The cookies of one login, by name; the control plane is the only server that it talks to. */
class Cookies {
  readonly #values = new Map<string, string>();

  get header(): string {
    return [...this.#values].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  keep(answer: Response): void {
    for (const line of answer.headers.getSetCookie()) {
      const [pair = ''] = line.split(';', 1);
      const at = pair.indexOf('=');
      if (at > 0) this.#values.set(pair.slice(0, at).trim(), pair.slice(at + 1).trim());
    }
  }
}

/**
 * Does by HTTP what a person does in the browser: opens the login, sends the password, allows the
 * command line. For scripts and tests. Throws SvcError `unauthorized` for a wrong password.
 */
export async function logInByPassword(
  place: CloudPlace,
  metadata: CloudMetadata,
  { email, password }: { email: string; password: string },
): Promise<Tokens> {
  const request = createAuthorizationRequest(metadata, REDIRECT_URI);
  const cookies = new Cookies();
  const send = async (path: string, form?: Readonly<Record<string, string>>): Promise<Response> => {
    const answer = await sendToCloud(place, path, {
      ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }),
      headers: { Accept: 'text/html', Cookie: cookies.header },
    });
    cookies.keep(answer);
    return answer;
  };
  let path = toCloudPath(place, request.url);
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const page = await send(path);
    const answer = await answerPage(page, path, send, { email, password });
    const location = answer.headers.get('Location');
    if (location === null) throw await explainRefusal(place, answer);
    if (location.startsWith(`${REDIRECT_URI}?`)) {
      const parameters = new URL(location).searchParams;
      const tokens = await finishAuthorization(place, request, metadata.issuer, parameters);
      await endBrowserSession(send);
      return tokens;
    }
    path = toCloudPath(place, location);
  }
  throw new SvcError(
    'unauthorized',
    'The login did not come to an end. Use svc login without --email.',
  );
}

type Send = (path: string, form?: Readonly<Record<string, string>>) => Promise<Response>;

/** A redirect as it is; the answer to the form of a page. */
async function answerPage(
  page: Response,
  path: string,
  send: Send,
  account: { email: string; password: string },
): Promise<Response> {
  if (page.status >= 300 && page.status < 400) return page;
  const text = await page.text();
  const csrf = TOKEN_FIELD.exec(text)?.[1] ?? '';
  if (page.status === 401 && !PASSWORD_FIELD.test(text)) throw createCompanyLoginError();
  if (page.status === 401) return send('/auth/login', { csrf, next: path, ...account });
  if (page.status === 200) return send(path, { csrf, answer: 'allow' });
  return page;
}

/** The address below the control plane. Throws SvcError for one elsewhere: the password stays with the control plane. */
function toCloudPath({ url }: CloudPlace, location: string): string {
  const { origin, pathname, search } = new URL(location, url);
  if (origin === url) return `${pathname}${search}`;
  throw createCompanyLoginError();
}

const createCompanyLoginError = (): SvcError =>
  new SvcError(
    'unauthorized',
    "This control plane takes no passwords: people log in at their company's issuer. Use svc login, or svc login --device where no browser is, instead of --email.",
  );

async function explainRefusal({ url }: CloudPlace, answer: Response): Promise<SvcError> {
  if (answer.status === 401) return new SvcError('unauthorized', 'Email or password is wrong.');
  if (answer.status === 429)
    return new SvcError(
      'rate-limited',
      'Too many wrong tries. Wait a quarter of an hour and try again.',
    );
  return new SvcError(
    'unauthorized',
    `The control plane at ${url} refused the login (${answer.status}). Use svc login without --email.`,
  );
}

/** The browser session was for these steps alone. */
async function endBrowserSession(send: Send): Promise<void> {
  const home = await send('/auth/home');
  const csrf = TOKEN_FIELD.exec(await home.text())?.[1];
  if (csrf !== undefined) await send('/auth/logout', { csrf });
}
