import type { ResolvedOverlay } from '../../../src/workplace/jobOverlays.ts';
import { mergeLayers } from '../../../src/authoring/overlay/mergeLayers.ts';
import { openOverlay } from '../../../src/authoring/overlay/openOverlay.ts';
import { ACCOUNTS } from './endpoint.ts';

/** Of every job but the one that fans out. */
const PHASES = ['building', 'checking', 'reporting'];
const PARK_PHASE = 'waiting';
/** The workflow of the job that fans out. */
export const FAN_OUT_PATH = 'workflows/fan-out.md';

export const workflowPath = (account: string): string => `workflows/${account}.md`;

const workflow = (id: string, account: string, phases: readonly string[], more = ''): string => {
  const phaseYaml = (name: string): string =>
    name === PARK_PHASE
      ? `  - { name: ${name}, agent: null, status: ${name} }`
      : `  - { name: ${name}, agent: agents/any.md, model: ${account}, status: ${name} }`;
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

const TEXTS = new Map([
  ...ACCOUNTS.map((account): [string, string] => [
    workflowPath(account),
    workflow(account, account, PHASES),
  ]),
  [FAN_OUT_PATH, workflow('fan-out', 'beta', ['planning', PARK_PHASE, 'aggregating'], COORDINATOR)],
  ['agents/any.md', '---\ncommand: ["true"]\n---\n\nDo what the phase asks for.\n'],
]);

/** The workflows of the weekend: one for each account, and one that fans out. */
export function weekendOverlay(): ResolvedOverlay {
  const files = new Map([...TEXTS].map(([path, text]) => [path, new TextEncoder().encode(text)]));
  const merged = mergeLayers([{ name: 'base', origin: 'simulation', root: '/sim/base', files }]);
  const overlay = openOverlay(merged);
  // Parsing is the same every time, and each session asks for it.
  const workflows = new Map(
    [...TEXTS.keys()]
      .filter((path) => path.startsWith('workflows/'))
      .map((path) => [path, overlay.workflow(path)]),
  );
  const agent = overlay.agent('agents/any.md');
  const listed = overlay.workflows();
  return {
    files: merged,
    layers: [],
    ignored: [],
    mcp: { servers: [], notes: [] },
    overlay: {
      ...overlay,
      workflow: (path) => workflows.get(path) ?? overlay.workflow(path),
      agent: () => agent,
      workflows: () => listed,
    },
  };
}
