/** A text as one line of Markdown that shows it as it is: nothing in it makes a link or a heading. */
export const escapeMarkdown = (text: string): string =>
  text.replace(/\s+/g, ' ').replace(/[\\`*_[\]<>|#~]/g, '\\$&');

/** A link; `hash`: of a page of this dashboard. */
export const toMarkdownLink = (text: string, hash: string, page: string): string =>
  `[${escapeMarkdown(text)}](${page}${hash})`;

/** A block of code whose fence no line of the text can close. */
export function toMarkdownCode(lines: readonly string[]): string {
  const longest = Math.max(
    2,
    ...lines.flatMap((line) => line.match(/`+/g) ?? []).map((run) => run.length),
  );
  const fence = '`'.repeat(longest + 1);
  return [fence, ...lines, fence].join('\n');
}

/** The address of this page without its hash, for links that are used elsewhere. */
export const readPageAddress = ({
  origin,
  pathname,
}: Pick<Location, 'origin' | 'pathname'>): string => `${origin}${pathname}`;
