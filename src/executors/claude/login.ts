import type { VendorLogin } from '../../contract/runner/vendorLogin.ts';
import { SvcError } from '../../shared/errors/errors.ts';

/** How a token of the program's own login begins. */
const TOKEN = /^sk-ant-oat\d{2}-[\w-]{8,4000}$/;

/**
 * The login of Claude Code by its own command, which opens the vendor's page and prints a token for
 * about a year. svc never sees name or password.
 */
export const CLAUDE_LOGIN: VendorLogin = {
  start: async () => ({ kind: 'command', command: 'claude setup-token' }),
  async complete({ code }) {
    if (TOKEN.test(code)) return { oauthToken: code };
    throw new SvcError(
      'bad-argument',
      'That is no token of `claude setup-token`: it begins with sk-ant-oat.',
    );
  },
  async longLivedToken() {
    throw new SvcError(
      'not-possible-now',
      'The token of `claude setup-token` lasts already: log in with it.',
    );
  },
};
