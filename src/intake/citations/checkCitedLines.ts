import type { Blob } from '../../git/readBlobs.ts';
import type { Citation, CitationVerdict } from '../../contract/schema/planning/evidence.ts';
import type { Reference } from './findReferences.ts';

/** Lines of a file at the pinned commit that a look-up showed; null = all of it. */
export interface SeenLines {
  /** `E7` */
  evidence: string;
  path: string;
  fromLine: number | null;
  toLine: number | null;
}

interface ComparedBlobs {
  repo: string;
  /** The file at the pinned commit; null = no such file. */
  pinned: Blob | null;
  /** The file at the newest commit of the branch. */
  newest: Blob | null;
  seen: readonly SeenLines[];
}

/** Longest quoted line, characters. */
const MAX_QUOTED_CHARS = 200;

const splitBlobLines = (text: string): string[] => text.replace(/\n$/, '').split('\n');

/** The cited lines; null if the file has no such lines or is not text. */
function pickCitedLines(blob: Blob | null, { line, toLine }: Reference): string[] | null {
  if (blob === null || blob.text === null || line === null) return null;
  const lines = splitBlobLines(blob.text);
  const last = toLine ?? line;
  return line < 1 || last > lines.length ? null : lines.slice(line - 1, last);
}

const areEqualCitedLines = (one: readonly string[], other: readonly string[] | null): boolean =>
  other !== null && one.length === other.length && one.every((line, n) => line === other[n]);

function findShowingEvidence(reference: Reference, seenLines: readonly SeenLines[]): string | null {
  const { path, line, toLine } = reference;
  const last = toLine ?? line;
  const showing = seenLines.find((one) => {
    if (one.path !== path) return false;
    if (line === null || last === null) return true;
    return (one.fromLine ?? 1) <= line && last <= (one.toLine ?? Number.MAX_SAFE_INTEGER);
  });
  return showing?.evidence ?? null;
}

function deriveCitationVerdict(
  reference: Reference,
  { pinned, newest }: ComparedBlobs,
): CitationVerdict {
  if (pinned === null) return reference.isNew ? 'new' : 'missing';
  if (reference.line === null) return newest?.oid === pinned.oid ? 'exists' : 'moved';
  const lines = pickCitedLines(pinned, reference);
  if (lines === null) return 'missing';
  if (newest?.oid === pinned.oid) return 'exists';
  return areEqualCitedLines(lines, pickCitedLines(newest, reference)) ? 'exists' : 'moved';
}

export function checkCitedLines(reference: Reference, blobs: ComparedBlobs): Citation {
  const { ref, path, line, toLine } = reference;
  const verdict = deriveCitationVerdict(reference, blobs);
  const isThere = verdict !== 'missing' && verdict !== 'new';
  const evidence = isThere ? findShowingEvidence(reference, blobs.seen) : null;
  const [first = null] = pickCitedLines(blobs.pinned, reference) ?? [];
  return {
    ref,
    verdict: verdict === 'exists' && evidence !== null ? 'seen' : verdict,
    repo: isThere ? blobs.repo : null,
    path,
    line,
    toLine,
    text: first?.slice(0, MAX_QUOTED_CHARS) ?? null,
    evidence,
  };
}
