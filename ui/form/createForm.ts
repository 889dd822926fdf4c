import { createMemo, createSignal } from 'solid-js';
import { toFieldPointer } from './formSchema.ts';
import { isJsonObject } from '../../src/base/json/isJsonObject.ts';

/** Whether two JSON values say the same; the order of members does not matter. */
export function isSameJsonValue(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((one, at) => isSameJsonValue(one, b[at]));
  if (!isJsonObject(a) || !isJsonObject(b)) return a === b;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && isSameJsonValue(a[key], b[key]))
  );
}

/** The value at these keys; undefined = no value. */
export function readFormValueAt(value: unknown, path: readonly string[]): unknown {
  let here = value;
  for (const key of path)
    here = isJsonObject(here) && Object.hasOwn(here, key) ? here[key] : undefined;
  return here;
}

/** A copy with another value at these keys; undefined takes the key out. */
export function withValueAt(value: unknown, path: readonly string[], next: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return next;
  const map = isJsonObject(value) ? value : {};
  const inner = withValueAt(Object.hasOwn(map, key) ? map[key] : undefined, rest, next);
  const others = Object.entries(map).filter(([name]) => name !== key);
  if (inner === undefined) return Object.fromEntries(others);
  return Object.hasOwn(map, key)
    ? Object.fromEntries(
        Object.entries(map).map(([name, one]) => [name, name === key ? inner : one]),
      )
    : Object.fromEntries([...others, [key, inner]]);
}

/** The merge patch (RFC 7396) from `before` to `after`; null removes. undefined = no change. */
export function buildFormPatch(before: unknown, after: unknown): unknown {
  if (isSameJsonValue(before, after)) return undefined;
  if (!isJsonObject(after)) return after;
  const old = isJsonObject(before) ? before : {};
  const goneKeys = Object.keys(old).filter((key) => !Object.hasOwn(after, key));
  const changedEntries = Object.entries(after).flatMap(([key, value]) => {
    const inner = Object.hasOwn(old, key) ? buildFormPatch(old[key], value) : value;
    return inner === undefined ? [] : [[key, inner] as const];
  });
  return Object.fromEntries([...goneKeys.map((key) => [key, null] as const), ...changedEntries]);
}

export interface FormError {
  /** JSON pointer. */
  pointer: string;
  message: string;
}

export interface Form {
  readAt(path: readonly string[]): unknown;
  /** The value at these keys as it was at first. */
  readFirst(path: readonly string[]): unknown;
  isChanged(path: readonly string[]): boolean;
  /** Another value; undefined takes the key out. */
  change(path: readonly string[], value: unknown): void;
  /** Sets what is wrong with the text at a pointer; null = nothing. */
  setWrong(pointer: string, why: string | null): void;
  wrong(pointer: string): string | null;
  /** Whether something that was typed cannot be read. */
  isWrong(): boolean;
  /** What was changed, as a merge patch (RFC 7396); undefined = nothing. */
  patch(): unknown;
  /** Starts again with this value and drops what was typed. */
  reset(value: unknown): void;
  /** Counts the resets, so that fields forget what was typed. */
  resets(): number;
}

export function createForm(first: unknown): Form {
  const [before, setBefore] = createSignal(first);
  const [after, setAfter] = createSignal(first);
  const [wrongs, setWrongs] = createSignal<Readonly<Record<string, string>>>({});
  const [resets, setResets] = createSignal(0);
  const patch = createMemo(() => buildFormPatch(before(), after()));
  return {
    readAt: (path) => readFormValueAt(after(), path),
    readFirst: (path) => readFormValueAt(before(), path),
    isChanged: (path) =>
      !isSameJsonValue(readFormValueAt(before(), path), readFormValueAt(after(), path)),
    change: (path, value) => {
      // An error at a place, or below it, is removed with its value.
      const pointer = toFieldPointer(path);
      setWrongs((now) =>
        Object.fromEntries(
          Object.entries(now).filter(([key]) => key !== pointer && !key.startsWith(`${pointer}/`)),
        ),
      );
      setAfter((now) => withValueAt(now, path, value));
    },
    setWrong: (pointer, why) =>
      setWrongs(({ [pointer]: _old, ...others }) =>
        why === null ? others : { ...others, [pointer]: why },
      ),
    wrong: (pointer) => wrongs()[pointer] ?? null,
    isWrong: () => Object.keys(wrongs()).length > 0,
    patch,
    reset(value) {
      setBefore(() => value);
      setAfter(() => value);
      setWrongs({});
      setResets((n) => n + 1);
    },
    resets,
  };
}
