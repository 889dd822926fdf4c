import { readFileSync, statSync } from 'node:fs';
import { parseJsonOrNull } from '../../base/json/parseJsonOrNull.ts';

/** Largest file of a login that is read: 256 KiB. */
const MAX_LOGIN_BYTES = 256 * 1024;
const SECRET_NAME = /token|secret|key|password/i;

/** Values of a login by the names of their members, at any depth. */
function listSecretValues(value: unknown, name = ''): string[] {
  if (typeof value === 'string') return SECRET_NAME.test(name) ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    listSecretValues(inner, Array.isArray(value) ? name : key),
  );
}

/** The state of a file, and undefined for one that is not there or too large. */
function findFileState(file: string): string | undefined {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats?.isFile() && stats.size <= MAX_LOGIN_BYTES
    ? `${stats.ino} ${stats.mtimeMs} ${stats.size}`
    : undefined;
}

/**
 * Answers the tokens of logins that a person has named, whenever a file has changed since it was asked last: the
 * programs renew them while sessions run. They are known only to be screened. Never throws.
 */
export function createLoginSecretSource(listFiles: () => readonly string[]): () => string[] {
  const states = new Map<string, string>();
  return () =>
    listFiles().flatMap((file) => {
      try {
        const state = findFileState(file);
        if (state === undefined || states.get(file) === state) return [];
        const login = parseJsonOrNull(readFileSync(file, 'utf8'));
        // Half written, it is read again at the next use.
        if (login !== null) states.set(file, state);
        return listSecretValues(login);
      } catch {
        // Not readable now.
        return [];
      }
    });
}
