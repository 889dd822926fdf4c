import { findErrorCode, isMissingFile } from '../../../base/errors/findErrorCode.ts';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { SvcError } from '../../../base/errors/errors.ts';
import type { Ids } from '../../../base/system/ids/ids.ts';

/** Form of a token: base64url of at least 32 bytes. */
const TOKEN = /^[A-Za-z0-9_-]{43,}$/;

/**
 * The token in the file; null where there is no file. Throws SvcError `forbidden` for one that
 * cannot be read, `config-invalid` for one without a token.
 */
export async function readToken(file: string): Promise<string | null> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (cause) {
    if (isMissingFile(cause)) return null;
    throw new SvcError(
      'forbidden',
      `The runner's token file ${file} cannot be read. Run svc as the user who runs the runner, or set SVC_TOKEN.`,
      { cause },
    );
  }
  const token = text.trim();
  if (!TOKEN.test(token))
    throw new SvcError(
      'config-invalid',
      `The file ${file} contains no token. Remove it; svc start creates a new one.`,
    );
  return token;
}

/**
 * The runner's token: read, or created once in `file` with mode 0600. Two concurrent starts get the
 * same one, and readers never see half of it.
 */
export async function readOrMintToken(file: string, ids: Ids): Promise<string> {
  const existing = await readToken(file);
  if (existing !== null) return existing;
  const draft = `${file}.${ids.next()}`;
  await writeFile(draft, `${ids.secret()}\n`, { mode: 0o600, flag: 'wx' });
  try {
    await link(draft, file);
  } catch (error) {
    if (findErrorCode(error) !== 'EEXIST') throw error;
  } finally {
    await rm(draft, { force: true });
  }
  const token = await readToken(file);
  if (token === null)
    throw new SvcError(
      'config-invalid',
      `The token file ${file} disappeared while it was created.`,
    );
  return token;
}
