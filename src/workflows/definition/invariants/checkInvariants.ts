import {
  type Invariant,
  type InvariantSource,
  MAX_INVARIANTS,
  listRulePhases,
  formatRule,
  uniteInvariants,
} from '../../../base/invariants/invariant.ts';
import { type InvariantProblem, parseInvariant } from '../../../base/invariants/parseInvariant.ts';
import { findClosestName, suggestClosestName } from '../../../base/text/findClosestName.ts';
import type { WorkflowTable } from '../../../contract/schema/workflow/workflow.ts';
import type { Findings, Place } from '../findings.ts';
import { type KeyPath, type Positions, toKeyText } from '../positions.ts';
import { describePath } from './describePath.ts';
import { MAX_PROOF_STATES, type Proof, proveInvariants } from './proveInvariants.ts';

/** Rules for a workflow from outside its file. */
export interface GivenInvariants {
  from: InvariantSource;
  /** Unparsed; rules with mistakes are refused. */
  list: unknown;
}

export interface CheckedInvariants {
  invariants: Invariant[];
  proofs: Proof[];
}

interface InvariantsToCheck {
  /** The list in the workflow's own front matter; undefined = none. */
  written: readonly unknown[] | undefined;
  given: readonly GivenInvariants[];
  table: WorkflowTable;
  /** False if the table has mistakes: then nothing is proved. */
  sound: boolean;
}

const FIRST: Place = { line: 1, column: 1 };
const FORM =
  'Write rules such as { id: merge-approved, never: merge, unless: approved since push }.';

const suggestInvariantFix = ({ word }: InvariantProblem): string => {
  if (word === undefined) return FORM;
  const near = findClosestName(word.written, word.known);
  return near === null
    ? `Known: ${word.known.join(', ')}.`
    : suggestClosestName(word.written, word.known);
};

function readOwnInvariants(
  rawInvariants: readonly unknown[],
  table: WorkflowTable,
  positions: Positions,
  findings: Findings,
): { rule: Invariant; path: KeyPath }[] {
  const phaseNames = table.phases.map(({ name }) => name);
  const ids = new Set<string>();
  return rawInvariants.flatMap((value, index) => {
    const path = ['invariants', index];
    const { invariant, problems } = parseInvariant(value);
    for (const problem of problems) {
      const here = problem.key === null ? path : [...path, problem.key];
      findings.error(
        'invariant-form',
        positions.value(here),
        `${toKeyText(here)} ${problem.message}.`,
        suggestInvariantFix(problem),
      );
    }
    if (!invariant) return [];
    if (ids.has(invariant.id))
      findings.error(
        'invariant-form',
        positions.value([...path, 'id']),
        `${toKeyText(path)}.id is the id of an earlier rule: ${invariant.id}.`,
        'Give each rule an id of its own.',
      );
    ids.add(invariant.id);
    const unknown = listRulePhases(invariant).filter(
      (name) => phaseNames.length > 0 && !phaseNames.includes(name),
    );
    for (const name of unknown)
      findings.error(
        'unknown-phase',
        positions.value(path),
        `${toKeyText(path)} names the phase "${name}", which does not exist.`,
        suggestClosestName(name, phaseNames),
      );
    return [{ rule: invariant, path }];
  });
}

/** An unreadable rule is never dropped: what it should forbid is unknown. */
function readGiven(givenInvariants: readonly GivenInvariants[], findings: Findings): Invariant[] {
  return givenInvariants.flatMap(({ from, list }) => {
    const rules: readonly unknown[] = Array.isArray(list) ? list : [list];
    return rules.flatMap((value, index) => {
      const { invariant, problems } = parseInvariant(value);
      for (const problem of problems)
        findings.error(
          'invariant-form',
          FIRST,
          `${toKeyText(['invariants', index])} (${from}) ${problem.message}.`,
          suggestInvariantFix(problem),
        );
      return invariant ? [{ ...invariant, from }] : [];
    });
  });
}

function reportProof(
  { invariant, result, path }: Proof,
  { own, phases, place }: { own: boolean; phases: readonly string[]; place: Place },
  findings: Findings,
): void {
  const { id, from } = invariant;
  const rule = `The invariant ${id}${from === undefined ? '' : ` (${from})`}, ${formatRule(invariant)},`;
  const way = describePath({ path }, phases);
  if (result === 'counterexample')
    findings.error(
      'invariant-broken',
      place,
      `${rule} can be violated by the workflow: ${way}.`,
      `svc workflow simulate <file> --invariant ${id} plays this. Add what the rule asks for, such as a checkpoint, or change the rule.`,
    );
  if (result === 'prevents-completion')
    findings.error(
      'invariant-blocks-end',
      place,
      `${rule} prevents every job from completing: ${way}.`,
      `svc workflow simulate <file> --invariant ${id} plays this. Let a phase do what the rule asks for, or change the rule.`,
    );
  if (result === 'unreachable' && own)
    findings.addWarning(
      'invariant-unreachable',
      place,
      `${rule} has no effect here: no phase can do it.`,
      'Remove the rule, or check the tools of the phases and the names in the rule.',
    );
  if (result === 'too-large')
    findings.error(
      'invariant-form',
      place,
      `${rule} cannot be proved: this workflow and its facts have more than ${MAX_PROOF_STATES} states.`,
      'Name fewer facts, or split the rule.',
    );
}

/**
 * Reads a workflow's rules, adds those from outside, and proves each over its phases. Rules of
 * other layers or the configuration are never dropped.
 */
export function checkInvariants(
  { written, given, table, sound }: InvariantsToCheck,
  positions: Positions,
  findings: Findings,
): CheckedInvariants {
  const above = readGiven(given, findings);
  const own = readOwnInvariants(written ?? [], table, positions, findings);
  const invariants = uniteInvariants(
    above,
    own.map(({ rule }) => rule),
  );
  if (invariants.length > MAX_INVARIANTS) {
    findings.error(
      'invariant-form',
      positions.key(['invariants']),
      `There are ${invariants.length} invariants; the limit is ${MAX_INVARIANTS}, including those of the configuration and of other layers.`,
      'Remove some of them.',
    );
    return { invariants: [], proofs: [] };
  }
  if (!sound || findings.hasErrors()) return { invariants, proofs: [] };
  const proofs = proveInvariants(table, invariants) ?? [];
  const phases = table.phases.map(({ name }) => name);
  for (const proof of proofs) {
    const mine = own.find(({ rule }) => rule === proof.invariant);
    const place = mine ? positions.value(mine.path) : FIRST;
    reportProof(proof, { own: mine !== undefined, phases, place }, findings);
  }
  return { invariants, proofs };
}
