import { join } from 'node:path';
import { toFilledStringOrNull } from '../../base/json/untrusted.ts';
import type { Settings } from '../../contract/schema/runner/settings.ts';
import { CODEX_LOGIN_FILE } from '../../executors/acp/presets/codex.ts';
import { CLAUDE_LOGIN_FILE } from '../../executors/claude/claudeLogin.ts';

const LOGINS = [
  ['claude', 'loginDir', CLAUDE_LOGIN_FILE],
  ['acp', 'codexLoginDir', CODEX_LOGIN_FILE],
] as const;

/** Files of the logins that the settings name. */
export const listLoginFiles = (plugins: Settings['plugins']): string[] =>
  LOGINS.flatMap(([plugin, setting, file]) => {
    const loginDir = toFilledStringOrNull(plugins[plugin]?.config?.[setting]);
    return loginDir === null ? [] : [join(loginDir, file)];
  });
