import { MAX_PICTURE_BYTES, findPictureType } from '../../base/limits/pictures.ts';
import type { Picture } from '../../contract/forge/review.ts';
import { findMergeBases, findMergeCommit } from '../../git/history.ts';
import { readCommitFile } from '../../git/readCommitFile.ts';
import { findBranch, openRepository, type Repository } from '../../git/openRepository.ts';
import { SvcError } from '../../base/errors/errors.ts';
import type { PictureQuery } from '../../contract/schema/forge/review.ts';
import type { OwnedPullRequest } from './loadJobPullRequest.ts';

/** The first bytes of each picture type; SVG is text. */
const BEGINS: Readonly<Record<string, readonly string[]>> = {
  'image/png': ['89504e470d0a1a0a'],
  'image/jpeg': ['ffd8ff'],
  'image/gif': ['474946383761', '474946383961'],
  'image/webp': ['52494646'],
};

/** The commit that a pull request is compared with. */
async function findComparedCommit(
  repository: Repository,
  base: string,
  head: string,
): Promise<string | undefined> {
  const tip = await findBranch(repository, base);
  if (tip === undefined) return undefined;
  const [common] = await findMergeBases(repository, tip, head);
  if (common !== head) return common;
  const merge = await findMergeCommit(repository, head, tip);
  return merge === undefined ? undefined : `${merge}^1`;
}

/**
 * A picture of a pull request from the objects on this disk; the forge is not asked. Throws SvcError
 * `bad-argument` for a file that is not a picture, `too-large`, `not-found`.
 */
export async function readPrPicture(
  { mapping, forge }: OwnedPullRequest,
  { path, side, commit }: PictureQuery,
): Promise<Picture> {
  const mime = findPictureType(path);
  if (mime === null || /[\r\n\0]/.test(path))
    throw new SvcError('bad-argument', `${path} is not an image (png, jpg, gif, webp or svg).`);
  const missing = new SvcError('not-found', `${path} was not found on this disk at ${commit}.`);
  // No commit has such a file, and git fails on these names.
  if (path.split('/').some((part) => ['', '.', '..'].includes(part))) throw missing;
  const source = await forge.source(mapping.repo, { fresh: false });
  if (!source) throw missing;
  const repository = openRepository(source.path);
  const at =
    side === 'after'
      ? commit
      : await findComparedCommit(repository, mapping.base, commit).catch(() => undefined);
  if (at === undefined) throw missing;
  const bytes = await readCommitFile(repository, { commit: at, path, maxBytes: MAX_PICTURE_BYTES });
  if (bytes === null) throw missing;
  if (bytes === 'too-long')
    throw new SvcError('too-large', `${path} is longer than ${MAX_PICTURE_BYTES} bytes.`);
  const begin = bytes.subarray(0, 8).toString('hex');
  const isOne = BEGINS[mime]?.some((sign) => begin.startsWith(sign)) ?? !bytes.includes(0);
  if (!isOne)
    throw new SvcError('bad-argument', `The content of ${path} does not match its file type.`);
  return { mime, bytes };
}
