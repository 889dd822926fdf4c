import { parseEnv } from 'node:util';
import { findSettingSecrets, isSecretArgument } from '../../../base/secrets/likelySecret.ts';

/** `NAME=value`, `name: value` and `"name": "value",`, as settings are written. */
const SETTING = /^\s*(?:export\s+)?["']?([\w.-]+)["']?\s*[=:]\s*(.+?)\s*,?\s*$/;
/** The same within a line, as in JSON that is not written line by line. */
const QUOTED_SETTING = /["']([\w.-]+)["']\s*[=:]\s*"([^"]+)"/g;
const QUOTED = /^(["'`])(.*)\1$/s;

const removeQuotes = (value: string): string => QUOTED.exec(value)?.[2] ?? value;

/** Values of several lines are also written line by line. */
const listParts = (secret: string): string[] =>
  secret.includes('\n')
    ? [secret, ...secret.split('\n').filter((line) => isSecretArgument(line.trim()))]
    : [secret];

/**
 * The values of a file of settings, such as `.env`, that are secrets by their names or their looks;
 * of other texts each word that looks random.
 */
export function listFileSecrets(text: string): string[] {
  const lines = text.split('\n').flatMap((line) => {
    const [, name, value] = SETTING.exec(line) ?? [];
    return name === undefined || value === undefined ? [] : [[name, removeQuotes(value)] as const];
  });
  const pairs = [...text.matchAll(QUOTED_SETTING)].map(([, name = '', value = '']) => [
    name,
    value,
  ]);
  const settings = [...Object.entries(parseEnv(text)), ...lines, ...pairs].flatMap(
    ([name = '', value]) => (typeof value === 'string' ? findSettingSecrets(name, value) : []),
  );
  const words = text.split(/[\s"'`,;=<>()]+/).filter(isSecretArgument);
  return [...new Set([...settings, ...words].flatMap(listParts))];
}
