import { explainBadLayerPath } from '../../workflows/overlay/layer.ts';
import { isAgentPath, isWorkflowPath } from '../../workflows/overlay/layerFiles.ts';
import { toLeftOutFindings } from '../../workflows/overlay/toLeftOutFindings.ts';
import { isAppended } from '../../workflows/overlay/mergeLayers.ts';
import { SvcError } from '../../base/errors/errors.ts';
import type { PreflightBody } from '../../contract/schema/workflow/intelligence.ts';
import type { PreflightReply } from '../../contract/schema/workflow/proposal.ts';
import { isWritable } from '../../workflows/overlay/writableFile.ts';
import type { Workplace } from '../workspace/workplace.ts';
import { checkProposedState } from './checkProposedState.ts';

type Kind = PreflightReply['files'][number]['kind'];

const classifyLayerPath = (path: string): Kind => {
  if (isWorkflowPath(path)) return 'workflow';
  if (isAgentPath(path)) return 'agent';
  if (isAppended(path)) return 'memory';
  return path.startsWith('.claude/skills/') ? 'skill' : 'other';
};

function explainUnwritablePath(path: string): string | null {
  const problem = explainBadLayerPath(path);
  if (problem !== null) return `The path ${problem}.`;
  return isWritable(path)
    ? null
    : 'Only Markdown files below workflows/, agents/, memory/ and .claude/ are written by svc; this one can be edited in its folder.';
}

/**
 * What writing these files together would lead to: the kind of each, and the layers linted and
 * simulated as a whole. Nothing is written. Throws SvcError `bad-argument`.
 */
export async function preflightFiles(
  workplace: Pick<Workplace, 'overlay'>,
  { files, layer = 'tenant', repo }: PreflightBody,
): Promise<PreflightReply> {
  if (layer === 'repo' && repo === undefined)
    throw new SvcError('bad-argument', 'Name the repository in "repo": the layer is repo.');
  const fileChecks = files.map(({ path }) => ({
    path,
    kind: classifyLayerPath(path),
    problem: explainUnwritablePath(path),
  }));
  const writableFiles = files.filter(({ path }) => explainBadLayerPath(path) === null);
  const { checks, errors, leftOut } = await checkProposedState(workplace, {
    layer,
    repo: repo === undefined ? null : { slug: repo, provider: null },
    files: new Map(writableFiles.map(({ path, text }) => [path, text])),
  });
  const isWrong = fileChecks.some(({ problem }) => problem !== null);
  const findings = [...toLeftOutFindings(leftOut), ...checks.findings];
  return { ok: !isWrong && errors.length === 0, files: fileChecks, ...checks, findings };
}
