/**
 * How a person logs an executor in at its vendor. What is secret of a login (the verifier, the
 * session that began it, when it ends) is the runner's; an executor only speaks with its vendor.
 */

/** What a login begins with: an authorization request of OAuth 2.0 with PKCE (RFC 6749, RFC 7636). */
export interface LoginBegin {
  /** Must come back with the code, unchanged. */
  state: string;
  /** Of a verifier that the runner keeps. */
  codeChallenge: string;
  codeChallengeMethod: 'S256';
  /**
   * Page of the dashboard that takes code and state. A vendor that shows the code instead may
   * ignore it: a person can paste the code there, too.
   */
  redirectUri: string;
}

/** What a person has to do. */
export type LoginStep =
  /** Opens the address; a code comes back. */
  | { kind: 'browser'; url: string }
  /** Runs the program's own command in a terminal; what that prints is the code. */
  | { kind: 'command'; command: string }
  /** Opens the address and types `userCode` (RFC 8628). */
  | {
      kind: 'device';
      url: string;
      userCode: string;
      /** For `poll`; it is shown to no one. */
      deviceCode: string;
      /** Shortest time between two polls, ms. */
      intervalMs: number;
    };

/** The answer of the vendor, by way of the person. */
export interface LoginCode {
  code: string;
  state: string;
  codeVerifier: string;
  /** The same as at the beginning. */
  redirectUri: string;
}

/** What was got, by the names of secret settings of the plugin; the runner stores it there. */
export type LoginSecrets = Readonly<Record<string, string>>;

/**
 * The operation `login` of an executor. Each part has 10 s. Errors with a code of
 * `bad-argument` (the vendor refuses what it was sent), `forbidden` (it refuses the person) or
 * `unreachable` are reported with their message; no message may hold a secret.
 */
export interface VendorLogin {
  start(begin: LoginBegin): Promise<LoginStep>;
  complete(answer: LoginCode): Promise<LoginSecrets>;
  /** For logins with a device code; null = the person is not done yet. */
  poll?(deviceCode: string): Promise<LoginSecrets | null>;
  /** A token that lasts, got with the login there is. Left out: the vendor has none. */
  longLivedToken?(): Promise<LoginSecrets>;
  /** The login is not wanted any more, or is over. */
  cancel?(): Promise<void>;
}

/** Names of the parts of the operation. */
export type LoginPart = keyof VendorLogin;
