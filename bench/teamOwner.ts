import { requestBytes } from './httpConnection.ts';

const PASSWORD = 'a password of the benches';

/** The owner of a team, logged in as a browser is. */
export class TeamOwner {
  readonly #cookie: string;
  readonly #csrf: string;
  /** Address of the team, such as `/teams/bench`. */
  readonly base: string;

  private constructor(cookie: string, csrf: string, base: string) {
    this.#cookie = cookie;
    this.#csrf = csrf;
    this.base = base;
  }

  /** Makes the first account and its team, by the link that `svc cloud start` prints. */
  static async create(url: string, ownerLink: string): Promise<TeamOwner> {
    const form = await fetch(`${url}${ownerLink}`);
    const visit = readCookies(form);
    const csrf = /name="csrf" value="([^"]+)"/.exec(await form.text())?.[1] ?? '';
    const fields = { team: 'Bench', name: 'Ada', email: 'ada@bench.invalid', password: PASSWORD };
    const response = await fetch(`${url}${ownerLink}`, {
      method: 'POST',
      redirect: 'manual',
      headers: { Cookie: visit },
      body: new URLSearchParams({ ...fields, csrf }),
    });
    if (response.status !== 303)
      throw new Error(`the first account was answered ${response.status}`);
    const cookie = readCookies(response);
    const me = await (await fetch(`${url}/me`, { headers: { Cookie: cookie } })).json();
    return new TeamOwner(cookie, me.csrf, `/teams/${me.teams[0].slug}`);
  }

  /** The bytes of a request; `path` is below the team. */
  request(method: 'GET' | 'POST', path: string, body?: object): Buffer {
    return this.requestAt(method, `${this.base}${path}`, body);
  }

  /** The bytes of a request to any address of the control plane. */
  requestAt(method: 'GET' | 'POST', path: string, body?: object): Buffer {
    // A cookie counts only where no token is sent.
    return requestBytes(method, path, body, {
      Authorization: '',
      Cookie: this.#cookie,
      'X-Svc-Csrf': this.#csrf,
    });
  }
}

const readCookies = ({ headers }: Response): string =>
  headers
    .getSetCookie()
    .map((cookie) => cookie.split(';', 1)[0])
    .join('; ');
