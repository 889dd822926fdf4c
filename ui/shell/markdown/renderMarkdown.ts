import DOMPurify from 'dompurify';
import { Marked } from 'marked';
import { lexBounded } from './lexBounded.ts';
import { revealTurningCharacters } from './revealTurningCharacters.ts';

/** Nothing that runs, sends requests to other servers, or looks like a part of our page. */
const FORBIDDEN_TAGS = [
  'style',
  'form',
  'input',
  'button',
  'select',
  'textarea',
  'img',
  'picture',
  'video',
  'audio',
  'svg',
  'math',
  'iframe',
  'object',
  'embed',
  'link',
  'meta',
  'base',
  'dialog',
];
const FORBIDDEN_ATTRIBUTES = [
  'style',
  'class',
  'id',
  'name',
  'srcset',
  'src',
  'background',
  'ping',
  'popover',
  'popovertarget',
  'autofocus',
  'accesskey',
  'is',
  'slot',
  'part',
];

const escapeMarkup = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

/**
 * HTML within markdown is shown as plain text: a person who approves a plan sees all that is in
 * it. So what comes to the purifier are tags of markdown alone, and the browser has no handler to
 * refuse while it is read.
 */
const markdown = new Marked({
  gfm: true,
  renderer: {
    html: ({ text }) => escapeMarkup(text),
    image: ({ text, href }) => escapeMarkup(`[picture: ${text || href}]`),
  },
});

const purifier = DOMPurify(window);
purifier.addHook('afterSanitizeAttributes', (node) => {
  if (node.tagName !== 'A') return;
  const href = node.getAttribute('href') ?? '';
  // Only links out of the page that say so: one to `#/…` or `/jobs/…` would pass for one of ours.
  if (!/^(https?:|mailto:)/i.test(href)) node.removeAttribute('href');
  node.setAttribute('target', '_blank');
  node.setAttribute('rel', 'noopener noreferrer nofollow');
});

/**
 * Markdown of anybody as harmless HTML: text, tables, code and links out; pictures are left out,
 * since they are requests. Takes long for a long text: see renderInSlices.
 */
export function renderMarkdown(text: string): DocumentFragment {
  const html = markdown.parser(lexBounded(revealTurningCharacters(text)));
  const fragment = purifier.sanitize(html, {
    RETURN_DOM_FRAGMENT: true,
    USE_PROFILES: { html: true },
    FORBID_TAGS: FORBIDDEN_TAGS,
    FORBID_ATTR: FORBIDDEN_ATTRIBUTES,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    // No untrusted element may take a name that scripts look up.
    SANITIZE_DOM: true,
  });
  // A table or a code block that is wider than the page scrolls by itself, and must be reachable
  // for that.
  for (const wide of fragment.querySelectorAll('pre, table')) wide.setAttribute('tabindex', '0');
  return fragment;
}
