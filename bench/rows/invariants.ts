import { parseWorkflow } from '../../src/workflows/definition/parseWorkflow.ts';
import { proveInvariants } from '../../src/workflows/definition/invariants/proveInvariants.ts';
import { under } from '../figure.ts';
import { median } from '../statistics.ts';
import type { Row } from './row.ts';

/** Proofs whose median counts. */
const ROUNDS = 40;
const PHASES = 30;

const phaseLine = (n: number): string => {
  const name = `phase-${n}`;
  if (n % 7 === 6) return `  - { name: ${name}, agent: null, status: ${name} }`;
  const checkpoint = n % 9 === 4 ? ', interactive_checkpoint: true' : '';
  const tools = n === PHASES - 1 ? ', tools: [merge_pr]' : '';
  return `  - { name: ${name}, agent: agents/worker.md, status: ${name}${checkpoint}${tools} }`;
};

const RULES = [
  '  - { id: approved, never: merge, unless: approved since push }',
  '  - { id: green, never: merge, unless: checks.green since push }',
  '  - { id: person, never: complete, unless: person }',
  '  - { id: planned, never: phase(phase-9), unless: approved(phase-4) }',
  '  - { id: again, at-most: 5 visits of phase-3 }',
  `  - { id: last, only-in: [phase-${PHASES - 1}], tool: merge_pr }`,
];

const WORKFLOW = [
  '---',
  'initial_phase: phase-0',
  'initial_status: phase-0',
  'phases:',
  ...Array.from({ length: PHASES }, (_, n) => phaseLine(n)),
  'invariants:',
  ...RULES,
  '---',
  '',
  'A long workflow.',
  '',
].join('\n');

export const invariantsRow: Row = {
  figures: ['invariants.proof'],
  async measure(_lab, note) {
    const { table, diagnostics } = parseWorkflow(WORKFLOW, 'workflows/long.md');
    if (!table?.invariants)
      throw new Error(`the workflow is wrong: ${JSON.stringify(diagnostics)}`);
    const took: number[] = [];
    let results: string[] = [];
    for (let n = 0; n < ROUNDS; n++) {
      const from = performance.now();
      results = (proveInvariants(table, table.invariants) ?? []).map(({ result }) => result);
      took.push(performance.now() - from);
    }
    note(`${PHASES} phases, ${RULES.length} rules: ${results.join(', ')}`);
    return { 'invariants.proof': under({ value: median(took), unit: 'ms', target: 50 }) };
  },
};
