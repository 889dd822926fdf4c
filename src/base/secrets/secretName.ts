/** Names of settings, variables and headers whose values are surely secrets. */
export const SECRET_NAME =
  /token|key|secret|passw|credential|auth|cookie|pat$|(?:^|_)dsn$|(?:database|db|redis|mongo|mongodb|postgres|mysql|amqp)_?ur[li]$/i;

/** The value, and the part after the scheme of a header, such as `Bearer`. */
export function splitSecretValue(value: string): string[] {
  const bare = /^(?:bearer|basic|token) +(\S+)$/i.exec(value)?.[1];
  return bare === undefined ? [value] : [value, bare];
}
