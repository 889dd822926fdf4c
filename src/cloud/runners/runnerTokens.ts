import { crc32 } from 'node:zlib';
import { type Ids, sha256 } from '../../base/system/ids/ids.ts';

const FORM = /^svcr_([0-9a-z]{1,32})_([A-Za-z0-9_-]{43})_([0-9a-f]{8})$/;

/** CRC-32 as eight hexadecimal digits. */
const toChecksum = (text: string): string => crc32(text).toString(16).padStart(8, '0');

/** `svcr_<id>_<32 bytes>_<crc>`: the checksum tells a token from a text that only looks like one, without a look-up. */
export function createRunnerToken(runnerId: string, ids: Ids): string {
  const text = `svcr_${runnerId}_${ids.secret()}`;
  return `${text}_${toChecksum(text)}`;
}

/** The hash by which a token is found; null = the text does not have the form of a token. */
export function hashRunnerToken(token: string): string | null {
  const [, , , checksum] = FORM.exec(token) ?? [];
  const text = token.slice(0, -1 - (checksum?.length ?? 0));
  return checksum !== undefined && toChecksum(text) === checksum ? sha256(token) : null;
}
