import type { ResolvedOverlay } from '../../../src/jobs/workspace/jobOverlays.ts';
import { mergeLayers } from '../../../src/workflows/overlay/mergeLayers.ts';
import { openOverlay } from '../../../src/workflows/overlay/openOverlay.ts';
import type { FailurePolicy } from '../../../src/contract/schema/workflow/workflow.ts';

/** Phase of the parent in which it waits. */
const PARK_PHASE = 'waiting';
/** Lanes of sub-runs: one phase, the second with a checkpoint that a person approves. */
export const LANES = ['plain', 'asking'] as const;

const front = (id: string, phases: readonly string[], more = ''): string =>
  `---\nid: ${id}\nlabel: ${id}\ndescription: of the simulation\ninitial_phase: ${phases[0]}\ninitial_status: ${phases[0]}\nphases:\n${phases.map(phaseYaml).join('\n')}\n${more}createParams:\n  required: []\n---\n\nText.\n`;

const phaseYaml = (name: string): string => {
  if (name === PARK_PHASE) return `  - { name: ${name}, agent: null, status: ${name} }`;
  const checkpoint = name.endsWith('approved') ? ', interactive_checkpoint: true' : '';
  return `  - { name: ${name}, agent: agents/any.md, status: ${name}${checkpoint} }`;
};

const coordinator = (policy: FailurePolicy): string =>
  `coordinator:
  enabled: true
  parkPhase: ${PARK_PHASE}
  parkStatus: awaiting-sub-runs
  resumePhase: aggregating
  subRunWorkflowPath: workflows/plain.md
  maxParallelSubRuns: 4
  failurePolicy: ${policy}
  forwardSiblingInsights: true
`;

/** Workflow of a parent: with or without a checkpoint on its plan. */
export const parentPath = (policy: FailurePolicy, approved: boolean): string =>
  `workflows/${policy}${approved ? '-approved' : ''}.md`;

const parents = (['halt-on-failure', 'continue'] as const).flatMap((policy) =>
  [false, true].map((approved): [string, string] => [
    parentPath(policy, approved),
    front(
      `${policy}${approved ? '-approved' : ''}`,
      [approved ? 'planning-approved' : 'planning', PARK_PHASE, 'aggregating'],
      coordinator(policy),
    ),
  ]),
);

const TEXTS = new Map([
  ...parents,
  ['workflows/plain.md', front('plain', ['building'])],
  ['workflows/asking.md', front('asking', ['building-approved'])],
  ['agents/any.md', '---\ncommand: ["true"]\n---\n\nDo what the phase asks for.\n'],
]);

const createOverlay = (): ResolvedOverlay => {
  const files = new Map([...TEXTS].map(([path, text]) => [path, new TextEncoder().encode(text)]));
  const merged = mergeLayers([{ name: 'base', origin: 'simulation', root: '/sim/base', files }]);
  const overlay = openOverlay(merged);
  // Parsing is the same every time, and thousands of runs ask for it.
  const workflows = new Map(
    [...TEXTS.keys()]
      .filter((path) => path.startsWith('workflows/'))
      .map((path) => [path, overlay.workflow(path)]),
  );
  const workflowList = overlay.workflows();
  return {
    files: merged,
    layers: [],
    ignored: [],
    mcp: { servers: [], notes: [] },
    overlay: {
      ...overlay,
      workflow: (path) => workflows.get(path) ?? overlay.workflow(path),
      workflows: () => workflowList,
    },
  };
};

/** The workflows of the simulated campaigns. */
export const OVERLAY = createOverlay();
