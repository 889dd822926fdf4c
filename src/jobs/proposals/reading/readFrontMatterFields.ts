import { parseFrontMatter } from '../../../workflows/definition/parseFrontMatter.ts';
import { type Fields, toFields } from '../../../base/json/untrusted.ts';

/** The front matter of a text as unchecked data; empty if none exists or it cannot be read. */
export const readFrontMatterFields = (text: string | null, path: string): Fields =>
  text === null ? {} : toFields(parseFrontMatter(text, path).data);

export const readTextBelowFrontMatter = (text: string | null, path: string): string =>
  text === null ? '' : parseFrontMatter(text, path).body;
