import { parseFrontMatter } from '../../authoring/workflows/frontMatter.ts';
import { type Fields, fields } from '../../lib/untrusted.ts';

/** The front matter of a text as data, unchecked; empty where it has none or cannot be read. */
export const frontMatterOf = (text: string | null, path: string): Fields =>
  text === null ? {} : fields(parseFrontMatter(text, path).data);

/** The text below the front matter. */
export const bodyOf = (text: string | null, path: string): string =>
  text === null ? '' : parseFrontMatter(text, path).body;
