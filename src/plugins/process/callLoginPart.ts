import type { VendorLogin } from '../../contract/runner/vendorLogin.ts';
import { SvcError } from '../../base/errors/errors.ts';
import type { LoginCall } from './protocol.ts';

/** Calls one part of a plugin's login. Throws SvcError `not-possible-now` for a missing part. */
export async function callLoginPart(
  login: VendorLogin | undefined,
  { method, args }: LoginCall,
): Promise<unknown> {
  const part: unknown = login && Reflect.get(login, method);
  if (typeof part !== 'function')
    throw new SvcError('not-possible-now', `The plugin has no login.${method}().`);
  return Reflect.apply(part, login, args);
}
