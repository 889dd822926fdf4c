/** What came back. */
export interface GuardedAnswer {
  status: number;
  text: string;
  /** The header `Retry-After`, if the reply has one. */
  retryAfter?: string;
}

export interface GuardedOptions {
  /** Default GET. */
  method?: string;
  headers?: Readonly<Record<string, string>>;
  body?: string;
  /** Longest wait for the whole answer, ms; default 10 s. */
  timeoutMs?: number;
  /** Ends the request. */
  signal?: AbortSignal;
}

/**
 * Asks a URL and follows no redirect. Throws SvcError `forbidden` for an address that the plugin
 * may not reach, `unreachable` for everything else that goes wrong.
 */
export type GuardedRequest = (url: string, options?: GuardedOptions) => Promise<GuardedAnswer>;
