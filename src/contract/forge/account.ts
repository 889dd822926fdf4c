import type { ForgeBudget } from '../schema/forge/forge.ts';

/** An account at a server: its name for messages, and the secret that opens it. */
export interface Account {
  host: string;
  secret: string;
}

/** A limit that a server has for one kind of request alone. */
export interface RequestWindow {
  /** The same for all requests that are counted together; messages name it. */
  name: string;
  /** Most requests within `ms`. */
  most: number;
  ms: number;
}

/** Names the limits of one request; a plain `fetch` ignores them. */
export interface LimitedRequest extends RequestInit {
  /** Largest answer that is read, bytes after decompression; default 8 MiB. */
  maxBytes?: number;
  /** Limit of its kind beside those of the account; default none. */
  countedAs?: RequestWindow | undefined;
  /** It only gets a token for svc, which no one else sees; default false. */
  isLogin?: boolean;
}

/**
 * The one way to an account, for the runner and its agents alike: limits, cache and budget are
 * shared.
 */
export interface AccountClient {
  budget(): ForgeBudget;
  /**
   * As `fetch`, but for texts only. Throws SvcError `rate-limited`, `unreachable`, `too-large` or
   * `config-invalid`; `data.sent` says whether a write may have arrived.
   */
  readonly fetch: (url: string | URL | Request, init?: LimitedRequest) => Promise<Response>;
}

/** How an account may be used. */
export interface AccountLimits {
  /** Most requests of one job in an hour. */
  perJob: number;
  /** Least time between two writes, ms; default 1000, as GitHub asks for. */
  writeGapMs?: number;
  /**
   * Whether the server's limits are of seconds and not of hours, as Jira's: then jobs leave nothing
   * of them to the runner, and wait where they are spent. Default false.
   */
  shortWindows?: boolean;
}

/** Every caller that asks for the same account gets the same account client. */
export type OpenAccount = (account: Account, limits: AccountLimits) => AccountClient;
