/** An account at a model's endpoint, which limits hold for. It contains nothing secret. */
export interface CredentialPool {
  /** API that the endpoint speaks, such as `anthropic`. */
  kind: string;
  /** Origin of the endpoint, such as `https://api.anthropic.com`. */
  origin: string;
  /** The first 12 hex digits of the key's SHA-256; `none` where no key is set. */
  account: string;
}

export const toQuotaAccountId = ({ kind, origin, account }: CredentialPool): string =>
  `pool:${kind}:${origin}:${account}`;

/** The account of an id; null = it is not the id of an account. */
export function parseQuotaAccountId(id: string): CredentialPool | null {
  const [, kind, origin, account] = /^pool:([^:]+):(.+):([^:]+)$/.exec(id) ?? [];
  return kind === undefined || origin === undefined || account === undefined
    ? null
    : { kind, origin, account };
}
