/** A page as the visitor got it. */
export interface VisitedPage {
  status: number;
  text: string;
  headers: Headers;
  /** Where a redirect leads; null = none. */
  location: string | null;
  /** Its hidden fields. */
  hidden: Readonly<Record<string, string>>;
  url: string;
}

const HIDDEN = /<input type="hidden" name="([^"]*)" value="([^"]*)">/g;

const decodeText = (text: string): string =>
  text.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));

/** A browser without scripts: keeps cookies, reads hidden fields, sends forms. It follows no redirect by itself. */
export class HtmlVisitor {
  readonly origin: string;
  readonly cookies = new Map<string, { value: string; path: string; attributes: string }>();

  constructor(origin: string) {
    this.origin = origin;
  }

  cookie(name: string): string | undefined {
    return this.cookies.get(name)?.value;
  }

  async send(path: string, init: RequestInit = {}): Promise<VisitedPage> {
    const url = new URL(path, this.origin);
    const cookie = [...this.cookies]
      .filter(([, one]) => url.pathname.startsWith(one.path))
      .map(([name, { value }]) => `${name}=${value}`)
      .join('; ');
    const headers = new Headers(init.headers);
    if (!headers.has('Accept')) headers.set('Accept', 'text/html');
    if (cookie !== '') headers.set('Cookie', cookie);
    const answer = await fetch(url, { ...init, headers, redirect: 'manual' });
    for (const line of answer.headers.getSetCookie()) this.#keep(line, url);
    const text = await answer.text();
    return {
      status: answer.status,
      text,
      headers: answer.headers,
      location: answer.headers.get('location'),
      hidden: Object.fromEntries(
        [...text.matchAll(HIDDEN)].map(([, name = '', value = '']) => [name, decodeText(value)]),
      ),
      url: `${url.pathname}${url.search}`,
    };
  }

  open(path: string): Promise<VisitedPage> {
    return this.send(path);
  }

  /** Sends a form without having opened it. */
  post(path: string, fields: Readonly<Record<string, string>>): Promise<VisitedPage> {
    return this.send(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', Origin: this.origin },
      body: new URLSearchParams(fields),
    });
  }

  /** Opens a page, and sends its form with these fields beside the hidden ones. */
  async fill(
    path: string,
    fields: Readonly<Record<string, string>>,
    action = path,
  ): Promise<VisitedPage> {
    const page = await this.open(path);
    return this.post(action, { ...page.hidden, ...fields });
  }

  logIn(email: string, password: string, next = ''): Promise<VisitedPage> {
    const query = next === '' ? '' : `?next=${encodeURIComponent(next)}`;
    return this.fill(`/auth/login${query}`, { email, password }, '/auth/login');
  }

  #keep(line: string, url: URL): void {
    const [pair = '', ...rest] = line.split(';').map((part) => part.trim());
    const [name = '', ...value] = pair.split('=');
    const attributes = rest.join('; ').toLowerCase();
    const path = /(?:^|; )path=([^;]+)/.exec(attributes)?.[1] ?? url.pathname;
    if (/max-age=0(;|$)|expires=thu, 01 jan 1970/.test(attributes)) this.cookies.delete(name);
    else this.cookies.set(name, { value: value.join('='), path: findCase(rest, path), attributes });
  }
}

/** The path as it was sent, in its own case. */
const findCase = (attributes: readonly string[], lower: string): string =>
  attributes.find((one) => one.toLowerCase() === `path=${lower}`)?.slice('path='.length) ?? lower;
