/** An account at the endpoint of a model: what its limits hold for. It says nothing secret. */
export interface CredentialPool {
  /** API that the endpoint speaks, such as `anthropic`. */
  kind: string;
  /** Origin of the endpoint, such as `https://api.anthropic.com`. */
  origin: string;
  /** The first 12 hex digits of the key's SHA-256; `none` where no key is set. */
  account: string;
}

/** Id of an account's actor. */
export const toQuotaAccountId = ({ kind, origin, account }: CredentialPool): string =>
  `pool:${kind}:${origin}:${account}`;

/** The account that an id names; null where it is no id of one. */
export function parseQuotaAccountId(id: string): CredentialPool | null {
  const [, kind, origin, account] = /^pool:([^:]+):(.+):([^:]+)$/.exec(id) ?? [];
  return kind === undefined || origin === undefined || account === undefined
    ? null
    : { kind, origin, account };
}
