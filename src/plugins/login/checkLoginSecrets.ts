import type { LoginSecrets } from '../../contract/runner/vendorLogin.ts';
import { SvcError } from '../../shared/errors/errors.ts';

/** Longest secret of a login, characters: what a setting may hold. */
const MAX_SECRET_CHARS = 8_192;

/**
 * What a login got, if it fits the secret settings of the plugin. Throws SvcError `invalid` that
 * quotes no value.
 */
export function checkLoginSecrets(
  executor: string,
  got: unknown,
  settings: readonly string[],
): LoginSecrets {
  const entries = typeof got === 'object' && got !== null ? Object.entries(got) : [];
  const lie = (what: string): SvcError =>
    new SvcError('invalid', `${executor}: its login ${what}. Nothing was stored.`);
  if (entries.length === 0) throw lie('got no secret');
  for (const [name, value] of entries) {
    if (!settings.includes(name)) throw lie(`got "${name}", which is no secret setting of it`);
    if (typeof value !== 'string' || value === '' || value.length > MAX_SECRET_CHARS)
      throw lie(
        `got a value of "${name}" that is not a text of 1 to ${MAX_SECRET_CHARS} characters`,
      );
  }
  return Object.fromEntries(entries) as LoginSecrets;
}
