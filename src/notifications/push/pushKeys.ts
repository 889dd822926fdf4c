import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { findErrorCode, isMissingFile } from '../../base/errors/findErrorCode.ts';
import { SvcError } from '../../base/errors/errors.ts';
import { parseJsonOrNull } from '../../base/json/parseJsonOrNull.ts';

/** Keys by which push services know this runner (VAPID, RFC 8292): base64url of 65 and 32 bytes. */
export interface PushKeys {
  publicKey: string;
  privateKey: string;
}

const PUBLIC_KEY = /^[A-Za-z0-9_-]{87}$/;
const PRIVATE_KEY = /^[A-Za-z0-9_-]{43}$/;

async function readPushKeys(file: string): Promise<PushKeys | null> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (isMissingFile(error)) return null;
    throw error;
  }
  const { publicKey, privateKey } = Object(parseJsonOrNull(text)) as Record<string, unknown>;
  const areKeys =
    typeof publicKey === 'string' &&
    typeof privateKey === 'string' &&
    PUBLIC_KEY.test(publicKey) &&
    PRIVATE_KEY.test(privateKey);
  if (!areKeys)
    throw new SvcError(
      'config-invalid',
      `The file ${file} contains no keys for web push. Remove it: svc makes new ones, and each browser must be turned on again.`,
    );
  return { publicKey, privateKey };
}

/**
 * The keys in `file`: read, or made once with mode 0600. Two concurrent calls get the same ones. Throws
 * SvcError `config-invalid` for a file without keys.
 */
export async function readOrMakePushKeys(file: string, nextId: () => string): Promise<PushKeys> {
  const knownKeys = await readPushKeys(file);
  if (knownKeys !== null) return knownKeys;
  const { default: webPush } = await import('web-push');
  const draft = `${file}.${nextId()}`;
  const text = `${JSON.stringify(webPush.generateVAPIDKeys())}\n`;
  await writeFile(draft, text, { mode: 0o600, flag: 'wx' });
  try {
    await link(draft, file);
  } catch (error) {
    if (findErrorCode(error) !== 'EEXIST') throw error;
  } finally {
    await rm(draft, { force: true });
  }
  const keys = await readPushKeys(file);
  if (keys === null)
    throw new SvcError('config-invalid', `The file ${file} disappeared while it was created.`);
  return keys;
}
