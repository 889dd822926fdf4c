import type { LoginPart, VendorLogin } from '../../contract/runner/vendorLogin.ts';
import type { LoginCall } from '../process/protocol.ts';

/** Codes of a plugin's errors that mean what they say. */
export const LOGIN_ERRORS: ReadonlySet<string> = new Set([
  'bad-argument',
  'forbidden',
  'unreachable',
  'not-possible-now',
]);

/**
 * The operation `login` of an installed plugin: each part is a question to a process of its own.
 * What comes back is checked by those who use it.
 */
export function createInstalledLogin(ask: (call: LoginCall) => Promise<unknown>): VendorLogin {
  const part =
    <Part extends LoginPart>(method: Part) =>
    (...args: unknown[]) =>
      ask({ method, args });
  return {
    start: part('start'),
    complete: part('complete'),
    poll: part('poll'),
    longLivedToken: part('longLivedToken'),
  } as VendorLogin;
}
