import { createHash, timingSafeEqual } from 'node:crypto';
import { digestSha256 } from '../../../base/system/ids/ids.ts';

/**
 * What a form or a script sends beside a cookie, to show that a page of this origin made the
 * request. Derived from the cookie's secret, which no page can read, so nothing has to be kept.
 */
export const deriveFormToken = (secret: string): string =>
  createHash('sha256').update(`svc form ${secret}`).digest('base64url');

export const isSameToken = (a: string, b: string): boolean =>
  timingSafeEqual(digestSha256(a), digestSha256(b));
