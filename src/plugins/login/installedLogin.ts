import type { LoginPart, VendorLogin } from '../../contract/runner/vendorLogin.ts';
import type { LoginCall } from '../process/protocol.ts';

/** Error codes of a plugin that are passed on. */
export const LOGIN_ERRORS: ReadonlySet<string> = new Set([
  'bad-argument',
  'forbidden',
  'unreachable',
  'not-possible-now',
]);

/**
 * The login of an installed plugin: each part is a question to a new process. The callers check the
 * answers.
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
