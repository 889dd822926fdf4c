import { isJsonObject } from '../../../base/json/isJsonObject.ts';
import type { ConfigPatch } from '../../../contract/schema/runner/config.ts';

/** Keys that lead to a value: joined by dots, or a JSON pointer for names that hold dots. */
export const parseKeyPath = (key: string): string[] =>
  key.startsWith('/')
    ? key
        .slice(1)
        .split('/')
        .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    : key.split('.');

export const buildMergePatch = (path: readonly string[], value: unknown): ConfigPatch => {
  const [first = '', ...rest] = path;
  return { [first]: rest.length === 0 ? value : buildMergePatch(rest, value) };
};

/** Of two patches that touch different places; where both touch one, the second counts. */
export function combinePatches(first: ConfigPatch, second: ConfigPatch): ConfigPatch {
  const merged = { ...first };
  for (const [key, value] of Object.entries(second)) {
    const before = merged[key];
    merged[key] =
      isJsonObject(before) && isJsonObject(value) ? combinePatches(before, value) : value;
  }
  return merged;
}
