import { parseFrontMatter } from '../../../workflows/definition/parseFrontMatter.ts';
import { type Fields, toFields } from '../../../shared/json/untrusted.ts';

/** The front matter of a text as data, unchecked; empty where it has none or cannot be read. */
export const readFrontMatterFields = (text: string | null, path: string): Fields =>
  text === null ? {} : toFields(parseFrontMatter(text, path).data);

/** The text below the front matter. */
export const readTextBelowFrontMatter = (text: string | null, path: string): string =>
  text === null ? '' : parseFrontMatter(text, path).body;
