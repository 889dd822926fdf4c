import { readAtPath, readListAt, readTextAt } from '../../../shared/json/untrusted.ts';

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

export const toAdfNode = (value: unknown): Node => {
  const attrs: unknown = Object(value).attrs;
  return {
    type: readTextAt(value, 'type'),
    text: readTextAt(value, 'text'),
    attrs,
    content: readListAt(value, 'content'),
    marks: readListAt(value, 'marks'),
    isLeaf: readAtPath(value, 'content') === undefined,
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

export const isInlineNode = (value: unknown): boolean => INLINE.has(readTextAt(value, 'type'));

const pickFirstFilled = (...texts: readonly string[]): string =>
  texts.find((text) => text !== '') ?? '';

/**
 * A link that is shown as a card: by its address, or by data in the form of JSON-LD; a card of a
 * search by the search.
 */
export function renderCard(attrs: unknown): string {
  const name = pickFirstFilled(
    readTextAt(attrs, 'data', 'name'),
    readTextAt(attrs, 'data', 'title'),
  );
  const url = pickFirstFilled(
    readTextAt(attrs, 'url'),
    readTextAt(attrs, 'data', 'url'),
    readTextAt(attrs, 'data', 'url', 'href'),
    readTextAt(attrs, 'data', '@id'),
  );
  if (url !== '') return name === '' ? url : `[${name}](${url})`;
  const search = readTextAt(attrs, 'datasource', 'parameters', 'jql');
  return name || (search === '' ? '[card]' : `[search: ${search}]`);
}

/** What an extension says of itself; its key where it says nothing. */
export const renderExtension = (attrs: unknown): string => {
  const said = pickFirstFilled(
    readTextAt(attrs, 'text'),
    readTextAt(attrs, 'parameters', 'extensionTitle'),
    readTextAt(attrs, 'parameters', 'macroMetadata', 'title'),
  );
  return said || `[extension ${readTextAt(attrs, 'extensionKey')}]`;
};

/** Attributes in which a node that is not known may have its text, the best first. */
const TEXTS = ['text', 'title', 'label', 'name', 'alt', 'url', 'value', 'resourceId', 'id'];

/** What a node that is not known, and has no content, says of itself; never nothing. */
export function renderUnknownNode({ type, text, attrs }: Node): string {
  const shown = text || pickFirstFilled(...TEXTS.map((name) => readTextAt(attrs, name)));
  // A type that is no word is no node of an editor.
  if (!/^[A-Za-z]/.test(type)) return shown;
  return text || (shown === '' ? `[${type}]` : `[${type} ${shown}]`);
}

/** Content that another document owns, of which this one has the address alone. */
export const renderSyncedBlock = (attrs: unknown): string =>
  `[synced block ${readTextAt(attrs, 'resourceId')}: its content is in another document]`;

/** A file; what is in it is not read. */
export const renderMedia = (attrs: unknown): string =>
  `[attachment ${pickFirstFilled(readTextAt(attrs, 'alt'), readTextAt(attrs, 'id'), readTextAt(attrs, 'url'))}]`;

/** Day of a date; empty for none. */
export const renderAdfDate = (attrs: unknown): string => {
  const at = new Date(Number(readTextAt(attrs, 'timestamp') || Number.NaN));
  return Number.isNaN(at.getTime()) ? '' : at.toISOString().slice(0, 10);
};
