/** Text that Markdown shows as it is, code spans kept: no tags and no emphasis come of it. */
export const plain = (text: string): string =>
  text
    .split(/(`[^`]*`)/)
    .map((part, index) =>
      index % 2 === 1 ? part : part.replace(/[*\\]/g, '\\$&').replace(/</g, '&lt;'),
    )
    .join('');

/** A code span, also of text that holds backticks. */
export const code = (text: string): string => {
  if (!text.includes('`')) return `\`${text}\``;
  return `\`\` ${text} \`\``;
};

export const codeBlock = (language: string, text: string): string =>
  `\`\`\`${language}\n${text.replace(/\n+$/, '')}\n\`\`\``;

const cell = (text: string): string => text.replaceAll('|', '\\|').replace(/\s*\n\s*/g, '<br>');

/** A table of Markdown. The cells are Markdown already. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}

/** The name by which a heading is linked to, as GitHub and the site both make it. */
export const anchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

/** A page: title, introduction, and parts with an empty line between them. */
export function page(title: string, source: string, parts: readonly string[]): string {
  const origin = `<!-- Generated from ${source} by npm run reference. Edit the source instead. -->`;
  const all = [origin, `# ${title}`, ...parts.filter((part) => part !== '')];
  return `${all.join('\n\n')}\n`;
}
