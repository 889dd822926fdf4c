import { findPictureType } from '../../../../src/base/limits/pictures.ts';
import type { DiffFile } from '../diff/diffFile.ts';

const COMMIT = /^[0-9a-f]{40}$/;

/**
 * Addresses of a picture before and after its change; null on a side where it does not exist, and
 * for a file that is no picture, or whose change is one of name or mode alone.
 */
export function buildPictureUrls(
  { path, from, change, binary, lines }: DiffFile,
  { job, pr, head }: { job: string; pr: string; head: string | null },
): { before: string | null; after: string | null } | null {
  if (head === null || !COMMIT.test(head) || findPictureType(path) === null) return null;
  if (!binary && lines.length === 0) return null;
  const at = (side: 'before' | 'after', name: string) =>
    `/jobs/${encodeURIComponent(job)}/pull-requests/${encodeURIComponent(pr)}/picture?${new URLSearchParams(
      { path: name, commit: head, side },
    )}`;
  return {
    before: change === 'added' || change === 'copied' ? null : at('before', from ?? path),
    after: change === 'removed' ? null : at('after', path),
  };
}
