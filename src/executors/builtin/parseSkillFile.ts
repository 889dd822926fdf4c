const BLOCK = /^---[ \t]*\n(.*?)\n---[ \t]*(?:\n|$)/s;

/**
 * Name and description of a skill's file, and its text. Other members and other forms are not
 * looked at.
 */
export function parseSkillFile(given: string): {
  name: string | null;
  description: string;
  body: string;
} {
  const text = given.replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n');
  const block = BLOCK.exec(text);
  const lines = (block?.[1] ?? '').split('\n');
  const value = (key: string): string | null => {
    const at = lines.findIndex((line) => line.startsWith(`${key}:`));
    const first = lines[at]?.slice(key.length + 1).trim();
    if (first === undefined) return null;
    const end = lines.findIndex((line, index) => index > at && !/^\s/.test(line));
    // A description over several lines: those that are indented belong to it.
    const more = lines.slice(at + 1, end === -1 ? undefined : end).map((line) => line.trim());
    return [/^[>|][+-]?$/.test(first) ? '' : first.replace(/^(["'])(.*)\1$/, '$2'), ...more]
      .filter((part) => part !== '')
      .join(' ');
  };
  return {
    name: value('name'),
    description: value('description') ?? '',
    body: text.slice(block?.[0].length ?? 0),
  };
}
