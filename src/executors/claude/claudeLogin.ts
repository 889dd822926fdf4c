import { existsSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';

/** Where Claude Code keeps its login on Linux and Windows; macOS has it in the keychain. */
export const CLAUDE_LOGIN_FILE = '.credentials.json';

/** Why sessions cannot use the login in this folder, as a clause; null = it exists. */
export function explainLoginLack(loginDir: string): string | null {
  if (!isAbsolute(loginDir))
    return 'plugins.installed.claude.config.loginDir is not an absolute path';
  return existsSync(join(loginDir, CLAUDE_LOGIN_FILE))
    ? null
    : `no login of Claude Code is in ${loginDir}; run claude and log in (on macOS: claude setup-token)`;
}

/**
 * The variable by which the program finds a login outside of its own folder. It keeps everything
 * else, such as transcripts, in the job's home, and renews the login where it is.
 */
export const buildLoginEnvironment = (loginDir: string | null): Record<string, string> =>
  loginDir === null ? {} : { CLAUDE_SECURESTORAGE_CONFIG_DIR: loginDir };
