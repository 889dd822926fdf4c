import { type AuditFacts, formatAuditText } from './auditText.ts';

interface ChainEntry extends AuditFacts {
  n: number;
  hash: string;
}

/** Entries in the order of their numbers. */
interface ChainPage {
  entries: readonly ChainEntry[];
  /** Hash of the entry before the first one; empty = none. */
  previous: string;
  head: { n: number; hash: string };
}

/** The result of checking a chain: how many entries were checked, and the first one that is wrong. */
export interface AuditCheck {
  /** Number of the first entry that is kept; 0 = the log is empty. */
  from: number;
  checked: number;
  head: { n: number; hash: string };
  fault: { n: number; reason: 'changed' | 'missing' } | null;
}

const createEmptyCheck = ({ entries, head }: ChainPage): AuditCheck => ({
  from: entries[0]?.n ?? 0,
  checked: 0,
  head,
  fault: null,
});

/**
 * Checks each entry of a team's audit log against its hash, and the last one against the head. `readPage` gives the
 * entries after a number, `hashText` the SHA-256 of a text. Entries that were removed after a year are not missing: the
 * log begins with the first one.
 */
export async function verifyAudit(
  readPage: (after: number) => Promise<ChainPage>,
  hashText: (text: string) => string,
): Promise<AuditCheck> {
  let page = await readPage(0);
  const check = createEmptyCheck(page);
  let previous = page.previous;
  let next = check.from;
  while (page.entries.length > 0) {
    for (const entry of page.entries) {
      const reason = findFault(entry, next, formatAuditText(previous, entry.n, entry), hashText);
      if (reason !== null) return { ...check, fault: { n: next, reason } };
      previous = entry.hash;
      next += 1;
      check.checked += 1;
    }
    page = await readPage(next - 1);
  }
  const { head } = page;
  const isComplete = check.checked === 0 ? head.n === 0 : head.n === next - 1;
  if (!isComplete) return { ...check, head, fault: { n: next, reason: 'missing' } };
  if (check.checked > 0 && head.hash !== previous)
    return { ...check, head, fault: { n: head.n, reason: 'changed' } };
  return { ...check, head };
}

function findFault(
  { n, hash }: ChainEntry,
  expected: number,
  text: string,
  hashText: (text: string) => string,
): 'changed' | 'missing' | null {
  if (n !== expected) return 'missing';
  return hashText(text) === hash ? null : 'changed';
}
