import type { ResolvedOverlay } from '../../../src/jobs/workspace/jobOverlays.ts';
import { mergeLayers } from '../../../src/workflows/overlay/mergeLayers.ts';
import { openOverlay } from '../../../src/workflows/overlay/openOverlay.ts';
import type { JobPlan } from './agents/kind.ts';
import { ACCOUNTS } from './endpoint.ts';

/** Of every job but the one that fans out. */
const PHASES = ['building', 'checking', 'reporting'];
const PARK_PHASE = 'waiting';
/** The workflow of the job that fans out. */
export const FAN_OUT_PATH = 'workflows/fan-out.md';

/** Of jobs that merge. */
const MERGE_PHASE = 'merging';
const MERGE_TOOLS =
  '[read, read_memory, await_event, scm_create_pr, scm_get_pr_status, scm_get_pr_comments, scm_approve_pr, scm_merge_pr]';

export const workflowPath = (account: string): string => `workflows/${account}.md`;

/** The workflow of a job. */
export const chooseWorkflowPath = ({ fansOut, merges, account }: JobPlan): string => {
  if (fansOut) return FAN_OUT_PATH;
  return merges ? workflowPath(`merge-${merges}`) : workflowPath(account);
};

const workflow = (id: string, account: string, phases: readonly string[], more = ''): string => {
  const phaseYaml = (name: string): string => {
    if (name === PARK_PHASE) return `  - { name: ${name}, agent: null, status: ${name} }`;
    const tools = name === MERGE_PHASE ? `, tools: ${MERGE_TOOLS}` : '';
    return `  - { name: ${name}, agent: agents/any.md, model: ${account}, status: ${name}${tools} }`;
  };
  return `---\nid: ${id}\nlabel: ${id}\ndescription: of the weekend\ninitial_phase: ${phases[0]}\ninitial_status: ${phases[0]}\nphases:\n${phases.map(phaseYaml).join('\n')}\n${more}createParams:\n  required: []\n---\n\nText.\n`;
};

const COORDINATOR = `coordinator:
  enabled: true
  parkPhase: ${PARK_PHASE}
  parkStatus: awaiting-sub-runs
  resumePhase: aggregating
  subRunWorkflowPath: ${workflowPath('beta')}
  maxParallelSubRuns: 3
  failurePolicy: continue
  forwardSiblingInsights: false
`;

const MERGING = ['building', MERGE_PHASE, 'reporting'];
const INVARIANTS = `invariants:
  - { id: merge-approved, never: merge, unless: approved since push }
  - { id: merge-place, only-in: [${MERGE_PHASE}], tool: merge_pr }
`;

const createTexts = (invariants: string): ReadonlyMap<string, string> =>
  new Map([
    ...ACCOUNTS.map((account): [string, string] => [
      workflowPath(account),
      workflow(account, account, PHASES),
    ]),
    [workflowPath('merge-proved'), workflow('merge-proved', 'beta', MERGING, invariants)],
    [workflowPath('merge-plain'), workflow('merge-plain', 'beta', MERGING)],
    [
      FAN_OUT_PATH,
      workflow('fan-out', 'beta', ['planning', PARK_PHASE, 'aggregating'], COORDINATOR),
    ],
    ['agents/any.md', '---\ncommand: ["true"]\n---\n\nDo what the phase asks for.\n'],
  ]);

/**
 * The workflows of the weekend: one for each account, two that merge, and one that fans out.
 * `isLax`: without the rules about merges.
 */
export function weekendOverlay(isLax: boolean): ResolvedOverlay {
  const texts = createTexts(isLax ? '' : INVARIANTS);
  const files = new Map([...texts].map(([path, text]) => [path, new TextEncoder().encode(text)]));
  const merged = mergeLayers([{ name: 'base', origin: 'simulation', root: '/sim/base', files }]);
  const overlay = openOverlay(merged);
  // Parsing is the same every time, and each session asks for it.
  const workflows = new Map(
    [...texts.keys()]
      .filter((path) => path.startsWith('workflows/'))
      .map((path) => [path, overlay.workflow(path)]),
  );
  const agent = overlay.agent('agents/any.md');
  const workflowList = overlay.workflows();
  return {
    files: merged,
    layers: [],
    ignored: [],
    mcp: { servers: [], notes: [] },
    overlay: {
      ...overlay,
      workflow: (path) => workflows.get(path) ?? overlay.workflow(path),
      agent: () => agent,
      workflows: () => workflowList,
    },
  };
}
