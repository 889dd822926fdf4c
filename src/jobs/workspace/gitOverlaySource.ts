import { join } from 'node:path';
import { SvcError } from '../../base/errors/errors.ts';
import { sha256 } from '../../base/system/ids/ids.ts';
import type { GitRemoteOverlay } from '../../contract/schema/runner/settings.ts';
import { BranchMirror } from '../../git/branchMirror.ts';
import { readLayerTree } from '../../git/readLayerTree.ts';
import { isSkippedPath } from '../../workflows/overlay/layerCollector.ts';
import type { OverlaySource } from './overlaySource.ts';

/** Name under which people trust what an overlay in a git repository would run. */
export const OVERLAY_TRUST_NAME = 'tenant-overlay';

interface GitOverlayParts {
  settings: GitRemoteOverlay;
  mirrorsDir: string;
  sshAuthSock: string | null;
}

/** A folder of a remote git repository: its newest commit. */
export function createGitOverlaySource({
  settings,
  mirrorsDir,
  sshAuthSock,
}: GitOverlayParts): OverlaySource {
  const { url, ref, path, username, token } = settings;
  const name = sha256(JSON.stringify([url, ref, path])).slice(0, 16);
  const mirror = new BranchMirror(join(mirrorsDir, `${name}.git`), {
    url,
    ref,
    username,
    password: token,
    sshAuthSock,
  });
  // A query might be a secret.
  const address = url.split(/[?#]/, 1)[0] ?? url;
  return {
    address,
    trustName: OVERLAY_TRUST_NAME,
    fetch: () => mirror.fetch(),
    async read(commit) {
      const prefix = path === null ? '' : `${path}/`;
      const { files, leftOut } = await readLayerTree(mirror.dir, commit, {
        prefixes: [prefix],
        skips: isSkippedPath,
      });
      if (files.size === 0) throw new SvcError('not-found', `${path ?? 'it'} has no files.`);
      return {
        files: new Map([...files].map(([file, bytes]) => [file.slice(prefix.length), bytes])),
        leftOut: leftOut.map((one) => ({ ...one, path: one.path.slice(prefix.length) })),
      };
    },
    keep: (commit) => mirror.keep(commit),
    good: () => mirror.good(),
    describe: (commit) => `commit ${commit.slice(0, 12)}`,
    toOrigin: (commit) => `${address}@${commit}`,
  };
}
