import { readAtPath, readListAt, readTextAt } from '../../../base/json/untrusted.ts';

/** A node of Atlassian's document format. All of it is untrusted. */
export interface Node {
  type: string;
  text: string;
  attrs: unknown;
  content: readonly unknown[];
  marks: readonly unknown[];
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

/** A link shown as a card: rendered by its address, its JSON-LD data, or its search. */
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

export const renderExtension = (attrs: unknown): string => {
  const label = pickFirstFilled(
    readTextAt(attrs, 'text'),
    readTextAt(attrs, 'parameters', 'extensionTitle'),
    readTextAt(attrs, 'parameters', 'macroMetadata', 'title'),
  );
  return label || `[extension ${readTextAt(attrs, 'extensionKey')}]`;
};

/** Attributes that may hold the text of an unknown node, the best first. */
const TEXTS = ['text', 'title', 'label', 'name', 'alt', 'url', 'value', 'resourceId', 'id'];

/** The text of an unknown node without content; never empty. */
export function renderUnknownNode({ type, text, attrs }: Node): string {
  const shownText = text || pickFirstFilled(...TEXTS.map((name) => readTextAt(attrs, name)));
  // Nodes of an editor have words as types.
  if (!/^[A-Za-z]/.test(type)) return shownText;
  return text || (shownText === '' ? `[${type}]` : `[${type} ${shownText}]`);
}

/** Content of another document, of which this one has only the address. */
export const renderSyncedBlock = (attrs: unknown): string =>
  `[synced block ${readTextAt(attrs, 'resourceId')}: its content is in another document]`;

/** A file; its content is not read. */
export const renderMedia = (attrs: unknown): string =>
  `[attachment ${pickFirstFilled(readTextAt(attrs, 'alt'), readTextAt(attrs, 'id'), readTextAt(attrs, 'url'))}]`;

export const renderAdfDate = (attrs: unknown): string => {
  const at = new Date(Number(readTextAt(attrs, 'timestamp') || Number.NaN));
  return Number.isNaN(at.getTime()) ? '' : at.toISOString().slice(0, 10);
};
