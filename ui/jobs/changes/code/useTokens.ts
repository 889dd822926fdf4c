import { createSignal } from 'solid-js';
import type { DiffFile, DiffLine } from '../diff/diffFile.ts';
import { readFileTokens } from './readFileTokens.ts';
import type { Token } from './tokens.ts';

const NONE: ReadonlyMap<DiffLine, Token[]> = new Map();

/** The tokens of files, found when they are first asked for: the text comes before its colours. */
export function useTokens(): (file: DiffFile) => ReadonlyMap<DiffLine, Token[]> {
  const [found, setFound] = createSignal(new WeakMap<DiffFile, ReadonlyMap<DiffLine, Token[]>>(), {
    equals: false,
  });
  const asked = new WeakSet<DiffFile>();
  return (file) => {
    if (!asked.has(file)) {
      asked.add(file);
      void readFileTokens(file).then((tokens) => setFound((now) => now.set(file, tokens)));
    }
    return found().get(file) ?? NONE;
  };
}
