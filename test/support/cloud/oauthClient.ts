import { createHash, randomBytes } from 'node:crypto';

/** An answer of the token endpoint (RFC 6749, 5.1 and 5.2). */
export interface TokenAnswer {
  status: number;
  body: {
    access_token: string;
    refresh_token: string;
    token_type: string;
    expires_in: number;
    scope: string;
    error?: string;
  };
}

export interface DeviceAnswer {
  device_code: string;
  user_code: string;
  verification_uri: string;
  expires_in: number;
}

export const REDIRECT = 'http://127.0.0.1:41234/callback';

/** A public client by the RFCs alone (6749, 7636, 8252, 8628, 7009): it knows nothing of svc but its client id. */
export class OauthClient {
  readonly #origin: string;
  readonly clientId = 'svc-cli';

  /** `origin`: where the server is reached. */
  constructor(origin: string) {
    this.#origin = origin;
  }

  metadata(): Promise<Record<string, unknown>> {
    return fetch(`${this.#origin}/auth/.well-known/openid-configuration`).then(
      (answer) => answer.json() as Promise<Record<string, unknown>>,
    );
  }

  /** RFC 7636: a verifier, and the address that its challenge is in. `changes`: null leaves a parameter out. */
  startAuthorization(changes: Readonly<Record<string, string | null>> = {}): {
    path: string;
    verifier: string;
    state: string;
  } {
    const verifier = randomBytes(32).toString('base64url');
    const state = randomBytes(16).toString('base64url');
    const parameters: Record<string, string | null> = {
      response_type: 'code',
      client_id: this.clientId,
      redirect_uri: REDIRECT,
      scope: 'api',
      state,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      ...changes,
    };
    const query = new URLSearchParams(
      Object.entries(parameters).flatMap(([name, value]) =>
        value === null ? [] : [[name, value]],
      ),
    );
    return { path: `/auth/authorize?${query}`, verifier, state };
  }

  exchange(code: string, verifier: string | null, redirect = REDIRECT): Promise<TokenAnswer> {
    return this.token({
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirect,
      ...(verifier === null ? {} : { code_verifier: verifier }),
    });
  }

  refresh(token: string): Promise<TokenAnswer> {
    return this.token({ grant_type: 'refresh_token', refresh_token: token });
  }

  poll(deviceCode: string): Promise<TokenAnswer> {
    return this.token({
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      device_code: deviceCode,
    });
  }

  async startDevice(name = 'pool-1'): Promise<DeviceAnswer> {
    const answer = await this.#post('/auth/device/code', { scope: 'api', device_name: name });
    return (await answer.json()) as DeviceAnswer;
  }

  async revoke(token: string): Promise<number> {
    return (await this.#post('/auth/token/revocation', { token })).status;
  }

  async token(fields: Readonly<Record<string, string>>): Promise<TokenAnswer> {
    const answer = await this.#post('/auth/token', fields);
    return { status: answer.status, body: (await answer.json()) as TokenAnswer['body'] };
  }

  #post(path: string, fields: Readonly<Record<string, string>>): Promise<Response> {
    return fetch(`${this.#origin}${path}`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: this.clientId, ...fields }),
    });
  }
}
