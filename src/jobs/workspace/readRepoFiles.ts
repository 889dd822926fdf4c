import {
  AGENT_FILE_PREFIXES,
  REPO_LAYER_PREFIXES,
  type TreeFiles,
} from '../../workflows/overlay/buildRepoLayer.ts';
import { isSkippedPath } from '../../workflows/overlay/layerCollector.ts';
import { readLayerTree } from '../../git/readLayerTree.ts';
import { readCommitTree } from '../../git/readCommitTree.ts';

/** Where `npx skills add` puts skills; `.claude/skills/` links to it. */
const LINKED_SKILLS = '.agents/skills/';

/**
 * Files of a repository that svc and agents' programs read, at one commit of its branch. Throws
 * SvcError `not-found` for an unknown branch.
 */
export async function readRepoFiles(
  repoPath: string,
  branch: string,
): Promise<TreeFiles & { commit: string }> {
  const { commit, files, leftOut } = await readLayerTree(repoPath, branch, {
    prefixes: REPO_LAYER_PREFIXES,
    linkedOnly: [LINKED_SKILLS],
    skips: isSkippedPath,
  });
  const ofAgents = await readCommitTree(repoPath, commit, [], AGENT_FILE_PREFIXES);
  return { commit, files: new Map([...files, ...ofAgents.files]), leftOut };
}
