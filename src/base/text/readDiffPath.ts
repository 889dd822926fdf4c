import { showQuoted } from './pathNames.ts';

/** The path in a header of a diff: without its `a/` or `b/`, also where that is behind a quote. */
export const readDiffPath = (name: string): string =>
  showQuoted(name.replace(/\t$/, '').replace(/^("?)[ab]\//, '$1'));
