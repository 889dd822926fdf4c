import { at, listAt, textAt } from '../../../lib/untrusted.ts';

/** A node of Atlassian's document format, as it comes: nothing of it is certain. */
export interface Node {
  type: string;
  text: string;
  attrs: unknown;
  content: readonly unknown[];
  marks: readonly unknown[];
  /** Whether it has no member for content: what it shows is in `attrs`, or elsewhere. */
  isLeaf: boolean;
}

export const nodeOf = (value: unknown): Node => {
  const attrs: unknown = Object(value).attrs;
  return {
    type: textAt(value, 'type'),
    text: textAt(value, 'text'),
    attrs,
    content: listAt(value, 'content'),
    marks: listAt(value, 'marks'),
    isLeaf: at(value, 'content') === undefined,
  };
};

/** Nodes within a line; everything else is a block. */
const INLINE: ReadonlySet<string> = new Set([
  'text',
  'hardBreak',
  'mention',
  'emoji',
  'inlineCard',
  'date',
  'status',
  'placeholder',
  'inlineExtension',
  'mediaInline',
]);

export const isInline = (value: unknown): boolean => INLINE.has(textAt(value, 'type'));

const firstOf = (...texts: readonly string[]): string => texts.find((text) => text !== '') ?? '';

/**
 * A link that is shown as a card: by its address, or by data in the form of JSON-LD; a card of a
 * search by the search.
 */
export function cardText(attrs: unknown): string {
  const name = firstOf(textAt(attrs, 'data', 'name'), textAt(attrs, 'data', 'title'));
  const url = firstOf(
    textAt(attrs, 'url'),
    textAt(attrs, 'data', 'url'),
    textAt(attrs, 'data', 'url', 'href'),
    textAt(attrs, 'data', '@id'),
  );
  if (url !== '') return name === '' ? url : `[${name}](${url})`;
  const search = textAt(attrs, 'datasource', 'parameters', 'jql');
  return name || (search === '' ? '[card]' : `[search: ${search}]`);
}

/** What an extension says of itself; its key where it says nothing. */
export const extensionText = (attrs: unknown): string => {
  const said = firstOf(
    textAt(attrs, 'text'),
    textAt(attrs, 'parameters', 'extensionTitle'),
    textAt(attrs, 'parameters', 'macroMetadata', 'title'),
  );
  return said || `[extension ${textAt(attrs, 'extensionKey')}]`;
};

/** Attributes in which a node that is not known may have its text, the best first. */
const TEXTS = ['text', 'title', 'label', 'name', 'alt', 'url', 'value', 'resourceId', 'id'];

/** What a node that is not known, and has no content, says of itself; never nothing. */
export function unknownText({ type, text, attrs }: Node): string {
  const shown = text || firstOf(...TEXTS.map((name) => textAt(attrs, name)));
  // A type that is no word is no node of an editor.
  if (!/^[A-Za-z]/.test(type)) return shown;
  return text || (shown === '' ? `[${type}]` : `[${type} ${shown}]`);
}

/** Content that another document owns, of which this one has the address alone. */
export const syncedText = (attrs: unknown): string =>
  `[synced block ${textAt(attrs, 'resourceId')}: its content is in another document]`;

/** A file; what is in it is not read. */
export const mediaText = (attrs: unknown): string =>
  `[attachment ${firstOf(textAt(attrs, 'alt'), textAt(attrs, 'id'), textAt(attrs, 'url'))}]`;

/** Day of a date; empty for none. */
export const dateText = (attrs: unknown): string => {
  const at = new Date(Number(textAt(attrs, 'timestamp') || Number.NaN));
  return Number.isNaN(at.getTime()) ? '' : at.toISOString().slice(0, 10);
};
