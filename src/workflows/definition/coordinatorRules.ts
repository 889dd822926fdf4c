import type { Coordinator } from '../../contract/schema/workflow/workflow.ts';
import { suggestClosestName } from '../../base/text/findClosestName.ts';
import type { Findings } from './findings.ts';
import type { WorkflowContext } from './workflowContext.ts';
import { checkStatusKey } from './statusRule.ts';
import { type KeyPath, type Positions, toKeyText } from './positions.ts';
import { createShapeCheck } from './createShapeCheck.ts';
import { CoordinatorFrontMatter } from './workflowShape.ts';

const checkShape = createShapeCheck(CoordinatorFrontMatter);

export function checkPhaseName(
  name: string,
  path: KeyPath,
  phases: readonly string[],
  positions: Positions,
  findings: Findings,
): void {
  if (phases.includes(name)) return;
  findings.error(
    'unknown-phase',
    positions.value(path),
    `${toKeyText(path)} names the phase ${name}, which does not exist.`,
    suggestClosestName(name, phases),
  );
}

/**
 * Members that an enabled coordinator requires: a parent that cannot park or resume would never
 * end.
 */
function checkEnabled(read: Partial<Coordinator>, positions: Positions, findings: Findings): void {
  if (!read.parkPhase) {
    findings.error(
      'coordinator-without-park-phase',
      positions.value(['coordinator']),
      'The coordinator is enabled, but has no parkPhase in which to wait for its sub-runs.',
      'Add parkPhase with the name of a phase that has agent: null.',
    );
  }
  if (read.parkPhase && read.parkPhase === read.resumePhase) {
    findings.error(
      'resume-in-park-phase',
      positions.value(['coordinator', 'resumePhase']),
      'coordinator.resumePhase is the phase in which the parent waits; it would wait there forever.',
      'Name the phase that continues when every sub-run has ended.',
    );
  }
  for (const key of ['resumePhase', 'subRunWorkflowPath'] as const) {
    if (read[key]) continue;
    findings.error(
      'missing-key',
      positions.value(['coordinator']),
      `coordinator.${key} is missing.`,
      `An enabled coordinator needs ${key}.`,
    );
  }
}

/** Whether `file`, possibly a path on the disk, is this path of the overlay. */
const isSameOverlayFile = (file: string, path: string): boolean =>
  path.startsWith('workflows/') && `/${file.replaceAll('\\', '/')}`.endsWith(`/${path}`);

/** A sub-run may have sub-runs only if its parameters say so. */
function checkNesting(
  { subRunWorkflowPath: path, subRunParamsDefault: params }: Partial<Coordinator>,
  file: string,
  { coordinates }: Pick<WorkflowContext, 'coordinates'>,
  positions: Positions,
  findings: Findings,
): void {
  if (typeof path !== 'string' || params?.epicAllowed === true) return;
  const itself = isSameOverlayFile(file, path);
  if (!itself && coordinates?.(path) !== true) return;
  findings.addWarning(
    'sub-run-coordinates',
    positions.value(['coordinator', 'subRunWorkflowPath']),
    `The sub-runs follow ${itself ? 'this workflow itself' : path}, which has sub-runs of its own: finalize_sub_runs refuses them.`,
    'Name a workflow without sub-runs, or add epicAllowed: true to subRunParamsDefault.',
  );
}

/** Reads `coordinator`; null = none, or unusable, and the findings say why. */
export function readCoordinator(
  value: unknown,
  { file, phases }: { file: string; phases: readonly string[] },
  context: Pick<WorkflowContext, 'workflows' | 'coordinates'>,
  positions: Positions,
  findings: Findings,
): Coordinator | null {
  if (value === undefined || value === null) return null;
  const read = checkShape(value, ['coordinator'], positions, findings);
  if (!read) return null;
  if (read.enabled === true) {
    checkEnabled(read, positions, findings);
    checkNesting(read, file, context, positions, findings);
  }
  const { workflows } = context;
  for (const key of ['parkPhase', 'resumePhase'] as const) {
    const name = read[key];
    if (typeof name === 'string')
      checkPhaseName(name, ['coordinator', key], phases, positions, findings);
  }
  const path = read.subRunWorkflowPath;
  if (typeof path === 'string' && workflows && !workflows.includes(path)) {
    const place = positions.value(['coordinator', 'subRunWorkflowPath']);
    findings.error(
      'missing-workflow',
      place,
      `${path}, the workflow of the sub-runs, was not found.`,
      suggestClosestName(path, workflows),
    );
  }
  if (typeof read.parkStatus === 'string')
    checkStatusKey(read.parkStatus, ['coordinator', 'parkStatus'], positions, findings);
  return {
    enabled: read.enabled ?? false,
    parkPhase: read.parkPhase ?? null,
    parkStatus: read.parkStatus ?? null,
    resumePhase: read.resumePhase ?? null,
    subRunWorkflowPath: read.subRunWorkflowPath ?? null,
    subRunParamsDefault: read.subRunParamsDefault ?? {},
    maxParallelSubRuns: read.maxParallelSubRuns ?? 1,
    failurePolicy: read.failurePolicy ?? 'halt-on-failure',
    forwardSiblingInsights: read.forwardSiblingInsights ?? false,
  };
}
