/** The value at a path of a parsed delivery; undefined where it has none. Only what the delivery itself brings: no prototype. */
export function at(value: unknown, ...path: readonly string[]): unknown {
  let here = value;
  for (const key of path) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, key)) return undefined;
    here = (here as Record<string, unknown>)[key];
  }
  return here;
}

/** Empty where there is no text; a number as text. */
export function textAt(value: unknown, ...path: readonly string[]): string {
  const found = at(value, ...path);
  return typeof found === 'string' ? found : typeof found === 'number' ? String(found) : '';
}

export function numberAt(value: unknown, ...path: readonly string[]): number | null {
  const found = at(value, ...path);
  return typeof found === 'number' && Number.isSafeInteger(found) ? found : null;
}

export function listAt(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
}

export const has = (value: unknown, ...path: readonly string[]): boolean => at(value, ...path) != null;

/** Epoch ms of a date as text or of epoch ms; null for neither. */
export function timeAt(value: unknown, ...path: readonly string[]): number | null {
  const found = at(value, ...path);
  const time = typeof found === 'number' ? found : typeof found === 'string' ? Date.parse(found) : Number.NaN;
  return Number.isFinite(time) ? time : null;
}

/** The texts that are there, empty ones left out. */
export const texts = (...found: readonly string[]): string[] => found.filter((text) => text !== '');
