import { existsSync, statSync } from 'node:fs';
import { posix } from 'node:path';
import { read } from '../checks/projectFiles.ts';
import { anchor } from '../reference/markdown.ts';
import { withoutFences } from './markdownFiles.ts';

export interface Link {
  /** As it is written: a path, a path with an anchor, an address. */
  target: string;
  /** 1-based. */
  line: number;
}

const blank = (text: string): string => text.replace(/[^\n]/g, ' ');

/** Links and images of a document, those in code left out. */
export function listLinks(text: string): Link[] {
  const prose = withoutFences(text)
    .replace(/<!--[\s\S]*?-->/g, blank)
    .replace(/(`+)[^`][\s\S]*?\1/g, blank);
  const matches = [
    ...prose.matchAll(/\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)/g),
    ...prose.matchAll(/^\s*\[[^\]]+\]:\s*(\S+)/gm),
    ...prose.matchAll(/<(?:a|img)\b[^>]*?(?:href|src)="([^"]+)"/g),
  ];
  return matches.map((match) => ({
    target: match[1] ?? '',
    line: prose.slice(0, match.index).split('\n').length,
  }));
}

/** Names that links into a document may end with after `#`. */
export function collectAnchors(text: string): Set<string> {
  const counts = new Map<string, number>();
  const anchors = new Set<string>();
  for (const [, heading = ''] of withoutFences(text).matchAll(/^#{1,6}\s+(.*?)\s*#*$/gm)) {
    const plainText = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[`*]/g, '');
    const name = anchor(plainText);
    const before = counts.get(name) ?? 0;
    counts.set(name, before + 1);
    anchors.add(before === 0 ? name : `${name}-${before}`);
  }
  for (const [, id = ''] of text.matchAll(/<a\s+(?:id|name)="([^"]+)"/g)) anchors.add(id);
  return anchors;
}

/** Links of one document that lead nowhere; addresses on the web are not checked. */
export function linkProblems(file: string, text: string): string[] {
  return listLinks(text).flatMap(({ target, line }) => {
    if (/^[a-z][a-z0-9+.-]*:/i.test(target)) return [];
    const place = `${file}:${line}: the link ${target}`;
    const [path = '', hash = ''] = target.split('#');
    if (path.startsWith('/')) return [`${place} must be relative to this file.`];
    const full = path === '' ? file : posix.join(posix.dirname(file), decodeURIComponent(path));
    if (full !== file && (full.startsWith('..') || !existsSync(full)))
      return [`${place} names a file that does not exist: ${full}. Correct the path.`];
    if (hash === '' || !full.endsWith('.md') || (full !== file && statSync(full).isDirectory()))
      return [];
    const anchors = collectAnchors(full === file ? text : read(full));
    if (anchors.has(hash)) return [];
    return [`${place}: ${full} has no heading for #${hash}. It has ${[...anchors].join(', ')}.`];
  });
}
