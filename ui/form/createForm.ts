import { createMemo, createSignal } from 'solid-js';
import { isSameJsonValue, buildFormPatch, readFormValueAt, withValueAt } from './formPatch.ts';
import { toFieldPointer } from './formSchema.ts';

export interface FormError {
  /** JSON pointer. */
  pointer: string;
  message: string;
}

export interface Form {
  at(path: readonly string[]): unknown;
  /** The value at these keys as it was at first. */
  first(path: readonly string[]): unknown;
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
    at: (path) => readFormValueAt(after(), path),
    first: (path) => readFormValueAt(before(), path),
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
