import type { ResolvedOverlay } from '../../src/jobs/workspace/jobOverlays.ts';
import { mergeLayers } from '../../src/workflows/overlay/mergeLayers.ts';
import { openOverlay } from '../../src/workflows/overlay/openOverlay.ts';

const PHASES = ['planning', 'coding', 'awaiting-merge', 'testing', 'evaluation', 'reporting'];

const phaseYaml = (name: string): string =>
  name === 'awaiting-merge'
    ? '  - name: awaiting-merge\n    agent: null\n    status: awaiting-pr-merge'
    : `  - name: ${name}\n    agent: agents/any.md\n    status: ${name}${name === 'planning' ? '\n    interactive_checkpoint: true' : ''}`;

const workflow = (id: string, phases: readonly string[]): string =>
  `---\nid: ${id}\nlabel: ${id}\ndescription: of the simulation\ninitial_phase: ${phases[0]}\ninitial_status: ${phases[0]}\nphases:\n${phases.map(phaseYaml).join('\n')}\n---\n\nText.\n`;

const AGENT = '---\ncommand: ["true"]\n---\n\nDo what the phase asks for.\n';

/** An overlay whose job has these phases. */
export const createOverlay = (phases: readonly string[]): ResolvedOverlay => {
  const texts: Record<string, string> = {
    'workflows/job.md': phases.length === 0 ? '---\nid: job\n---\n' : workflow('job', phases),
    'workflows/short.md': workflow('short', [
      'coding',
      'awaiting-merge',
      'evaluation',
      'reporting',
    ]),
    'agents/any.md': AGENT,
    'memory/build.md': 'Run the tests.\n',
  };
  const files = new Map(
    Object.entries(texts).map(([path, text]) => [path, new TextEncoder().encode(text)]),
  );
  const merged = mergeLayers([{ name: 'base', origin: 'simulation', root: '/sim/base', files }]);
  const overlay = openOverlay(merged);
  // Parsing is the same every time, and thousands of runs ask for it.
  const workflows = new Map(
    ['workflows/job.md', 'workflows/short.md'].map((path) => [path, overlay.workflow(path)]),
  );
  const agent = overlay.agent('agents/any.md');
  return {
    files: merged,
    layers: [],
    ignored: [],
    mcp: { servers: [], notes: [] },
    overlay: {
      ...overlay,
      workflow: (path) => workflows.get(path) ?? overlay.workflow(path),
      agent: () => agent,
    },
  };
};

/** What an author may have made of the overlay when a phase is prepared. */
export const OVERLAYS = {
  usual: createOverlay(PHASES),
  /** A phase that jobs may be in is gone. */
  shorter: createOverlay(PHASES.filter((name) => name !== 'testing')),
  /** The workflow has mistakes. */
  broken: createOverlay([]),
};
