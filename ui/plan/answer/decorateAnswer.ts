import { parseMarkedPlace } from '../../../src/base/text/parseMarkedPlace.ts';
import { mayCarryData } from '../../../src/base/http/mayCarryData.ts';
import { requestHighlight } from '../../jobs/changes/code/highlighter.ts';
import { detectLanguage } from '../../jobs/changes/code/languages.ts';
import { splitLinePieces } from '../../jobs/changes/code/splitLinePieces.ts';
import type { Token } from '../../jobs/changes/code/tokens.ts';
import { findCitations } from './findCitations.ts';

/** Longest code that is coloured, characters. */
const MAX_COLOURED = 20 * 1024;
const FENCE_LANGUAGE = /^ {0,3}(?:`{3,}|~{3,})[ \t]*([\w+#.-]{1,30})/;
/** Names of languages that are not file endings. */
const NAMED: Readonly<Record<string, string>> = {
  bash: 'bash',
  console: 'bash',
  javascript: 'javascript',
  python: 'python',
  rust: 'rust',
  ruby: 'ruby',
  shell: 'bash',
  typescript: 'typescript',
};

const findNamedLanguage = (name: string): string | null =>
  NAMED[name.toLowerCase()] ?? detectLanguage(`file.${name.toLowerCase()}`);

/** What a model wrote, with citations as buttons, links that say where they lead, and colours. */
export function decorateAnswer(fragment: DocumentFragment, block: string): DocumentFragment {
  for (const link of fragment.querySelectorAll('a')) guardLink(link);
  for (const node of listTextNodes(fragment)) markCitations(node);
  const [, language] = FENCE_LANGUAGE.exec(block) ?? [];
  const code = fragment.firstElementChild?.matches('pre')
    ? fragment.firstElementChild.querySelector('code')
    : null;
  if (code && language) void colourCode(code, findNamedLanguage(language));
  return fragment;
}

/** An address could carry what the model has read out of the company: it is a text then. */
function guardLink(link: HTMLAnchorElement): void {
  const address = link.getAttribute('href');
  if (address === null) return;
  const linkText = link.textContent ?? '';
  if (address.startsWith('mailto:') || mayCarryData(address)) {
    const text = linkText === address ? address : `${linkText} (${address})`;
    link.replaceWith(document.createTextNode(text));
    return;
  }
  const { host } = new URL(address);
  link.title = address;
  if (!linkText.includes(host)) link.after(document.createTextNode(` (${host})`));
}

function listTextNodes(fragment: DocumentFragment): Text[] {
  const walker = document.createTreeWalker(fragment, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (node instanceof Text && !node.parentElement?.closest('pre, a')) texts.push(node);
  }
  return texts;
}

/** Citations in a text become buttons; a click on one is handled by the page. */
function markCitations(node: Text): void {
  const inCode = node.parentElement?.closest('code') ?? null;
  const codeText = inCode?.textContent ?? '';
  if (inCode && parseMarkedPlace(codeText)) {
    inCode.replaceWith(createCitationButton(codeText));
    return;
  }
  const citations = findCitations(node.data);
  if (citations.length === 0) return;
  const parts: Node[] = [];
  let at = 0;
  for (const { from, ref } of citations) {
    parts.push(document.createTextNode(node.data.slice(at, from)), createCitationButton(ref));
    at = from + ref.length;
  }
  parts.push(document.createTextNode(node.data.slice(at)));
  const isAll = inCode !== null && inCode.textContent === citations[0]?.ref;
  if (isAll) inCode.replaceWith(createCitationButton(citations[0]?.ref ?? ''));
  else node.replaceWith(...parts);
}

function createCitationButton(ref: string): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'cite';
  button.dataset['ref'] = ref;
  button.textContent = ref;
  return button;
}

async function colourCode(code: HTMLElement, language: string | null): Promise<void> {
  const text = code.textContent ?? '';
  if (language === null || text.length > MAX_COLOURED) return;
  const [lines] = await requestHighlight(language, [text]);
  if (!lines || lines.length === 0) return;
  // A selection in the code is kept; the colours are then left out.
  const selection = document.getSelection();
  if (selection && !selection.isCollapsed && selection.containsNode(code, true)) return;
  code.replaceChildren(...createColouredNodes(text, lines));
}

/** A text in spans whose classes name their colours. */
export function createColouredNodes(text: string, tokens: readonly Token[][]): Node[] {
  return text.split('\n').flatMap((line, index) => {
    const pieces = splitLinePieces({ text: line, tokens: tokens[index] ?? [], marks: [] });
    const nodes = pieces.map(({ text: pieceText, kind, hidden }): Node => {
      if (kind === null && !hidden) return document.createTextNode(pieceText);
      const span = document.createElement('span');
      span.className = hidden ? 'hidden-character' : `code-${kind}`;
      span.textContent = pieceText;
      return span;
    });
    return index === 0 ? nodes : [document.createTextNode('\n'), ...nodes];
  });
}
