import { createPrivateKey, type KeyObject } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { SvcError } from '../../../base/errors/errors.ts';

type Values = Readonly<Record<string, string | number | boolean>>;

const AT = 'plugins.installed.github.config';
const NAMES = ['appId', 'installationId', 'privateKey'] as const;
/** GitHub's own keys have 2048 bits. */
const LEAST_BITS = 2048;
const FROM_FILE = 'file:';
const MAX_FILE_BYTES = 64 * 1024;

/** A GitHub App with the one installation that svc acts as. */
export interface GithubApp {
  id: number;
  installationId: number;
  /** Signs with RS256. */
  key: KeyObject;
  /** The key as text. It identifies the account, and must be shown nowhere. */
  pem: string;
}

const createAppSettingError = (name: string, why: string): SvcError =>
  new SvcError('config-invalid', `${AT}.${name} ${why}.`);

/** The key's text: the value itself, in which `\n` may be written for a line end, or its file. */
function readPrivateKeyText(value: string): string {
  if (!value.startsWith(FROM_FILE)) return `${value.replaceAll('\\n', '\n').trim()}\n`;
  const path = value.slice(FROM_FILE.length).replace(/^\/\/(?=\/)/, '');
  if (!isAbsolute(path))
    throw createAppSettingError(
      'privateKey',
      `names the file ${path}: write its absolute path, file:/…`,
    );
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat?.isFile() || stat.size > MAX_FILE_BYTES)
    throw createAppSettingError(
      'privateKey',
      `names ${path}, which does not contain a private key`,
    );
  try {
    return `${readFileSync(path, 'utf8').trim()}\n`;
  } catch (error) {
    const { code } = Object(error);
    throw createAppSettingError(
      'privateKey',
      `names the file ${path}, which cannot be read (${String(code)})`,
    );
  }
}

function parsePrivateKey(pem: string): KeyObject {
  if (/^Proc-Type: .*ENCRYPTED|BEGIN ENCRYPTED/m.test(pem))
    throw createAppSettingError(
      'privateKey',
      'is protected by a passphrase, which svc does not ask for: use the file that GitHub made',
    );
  let key: KeyObject;
  try {
    key = createPrivateKey(pem);
  } catch {
    // The cause is left out because it may quote the key.
    throw createAppSettingError(
      'privateKey',
      'is not a private key in PEM format: paste the whole .pem file that GitHub made, or write file:/… with its path',
    );
  }
  const { modulusLength = 0 } = key.asymmetricKeyDetails ?? {};
  if (key.asymmetricKeyType !== 'rsa' || modulusLength < LEAST_BITS)
    throw createAppSettingError(
      'privateKey',
      `must be an RSA key of at least ${LEAST_BITS} bits, as GitHub makes`,
    );
  return key;
}

const readAppNumber = (values: Values, name: 'appId' | 'installationId'): number => {
  const number = Number(values[name]);
  if (Number.isSafeInteger(number) && number > 0) return number;
  throw createAppSettingError(name, 'must be the number that GitHub shows');
};

/**
 * The app that the settings name; null where they name a token instead. Throws SvcError
 * `config-invalid` for both, neither, an incomplete app or an unusable key; it never quotes a
 * secret.
 */
export function readGithubApp(values: Values): GithubApp | null {
  const filledNames = NAMES.filter((name) => String(values[name] ?? '').trim() !== '');
  const hasToken = String(values.token ?? '').trim() !== '';
  if (filledNames.length === 0 && hasToken) return null;
  if (filledNames.length === 0)
    throw new SvcError(
      'config-invalid',
      `${AT}: set "token", or "appId", "installationId" and "privateKey" of a GitHub App.`,
    );
  if (hasToken)
    throw new SvcError(
      'config-invalid',
      `${AT} has a "token" and also ${filledNames.map((name) => `"${name}"`).join(', ')} of an app. Remove one of them.`,
    );
  const missing = NAMES.filter((name) => !filledNames.includes(name));
  if (missing.length > 0)
    throw new SvcError(
      'config-invalid',
      `${AT}: ${missing.map((name) => `"${name}"`).join(' and ')} of the app ${missing.length > 1 ? 'are' : 'is'} missing.`,
    );
  const pem = readPrivateKeyText(String(values.privateKey).trim());
  return {
    id: readAppNumber(values, 'appId'),
    installationId: readAppNumber(values, 'installationId'),
    key: parsePrivateKey(pem),
    pem,
  };
}
