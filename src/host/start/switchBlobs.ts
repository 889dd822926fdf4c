import type { Blobs } from '../../jobs/workspace/blobs.ts';

/** Artefacts that are asked of `current` at each use; what concerns this disk alone is asked of `local`. */
export const switchBlobs = (local: Blobs, current: () => Blobs): Blobs => ({
  put: (bytes) => current().put(bytes),
  putPieces: (pieces) => current().putPieces(pieces),
  path: (hash) => local.path(hash),
  bring: (hash) => current().bring(hash),
  page: (hash, offset, secrets) => current().page(hash, offset, secrets),
  listAll: () => local.listAll(),
  listElsewhere: () => current().listElsewhere(),
  beginCleanup: () => local.beginCleanup(),
  drop: (hash) => current().drop(hash),
});
