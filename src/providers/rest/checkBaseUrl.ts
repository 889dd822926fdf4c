import { SvcError } from '../../base/errors/errors.ts';

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);

/**
 * The setting `baseUrl` of a forge, or another address, without a trailing slash; empty where it is
 * not set. `server`: whose address it is. Throws SvcError `config-invalid`: only https, except on
 * this machine, so that the token crosses no network in plain text.
 */
export function checkBaseUrl(
  plugin: string,
  server: string,
  value: string | number | boolean | undefined,
  setting = 'baseUrl',
): string {
  const baseUrl = String(value ?? '')
    .trim()
    .replace(/\/+$/, '');
  if (baseUrl === '') return '';
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  const safe =
    url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.has(url.hostname));
  if (url && safe && url.username === '' && url.search === '' && url.hash === '') return baseUrl;
  throw new SvcError(
    'config-invalid',
    `plugins.installed.${plugin}.config.${setting} must be the https:// address of ${server}, without a user name.`,
  );
}
