const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  apos: "'",
  nbsp: ' ',
};

/** The words of a page for a browser: its title first, without markup, scripts and styles. */
export function stripPageMarkup(page: string): string {
  const title = /<title[^>]*>([^<]*)/i.exec(page)?.[1]?.trim() ?? '';
  const rest = page
    .replaceAll(/<(script|style|title|head)\b[^>]*>[\s\S]*?(?:<\/\1\s*>|$)/gi, ' ')
    .replaceAll(/<!--[\s\S]*?(?:-->|$)/g, ' ')
    .replaceAll(/<[^>]*>?/g, ' ')
    .replaceAll(/&([a-z]+|#39);/gi, (entity, name) => ENTITIES[name.toLowerCase()] ?? entity)
    .replaceAll(/\s+/g, ' ')
    .trim();
  if (title === '' || rest.startsWith(title)) return rest || title;
  return rest === '' ? title : `${title}: ${rest}`;
}
