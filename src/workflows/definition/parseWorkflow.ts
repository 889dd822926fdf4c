import { capitalizeFirst } from '../../base/text/capitalizeFirst.ts';
import type { Diagnostic } from '../../contract/schema/workflow/diagnostic.ts';
import type {
  PhaseDefinition,
  WorkflowEntry,
  WorkflowTable,
} from '../../contract/schema/workflow/workflow.ts';
import { checkAgentFlow } from './agentFlowRules.ts';
import { checkPhaseName, readCoordinator } from './coordinatorRules.ts';
import { createFindings, sortFindings, type Place, type Findings } from './findings.ts';
import { parseFrontMatter } from './parseFrontMatter.ts';
import { checkDoesNothing, checkFlow } from './flowRules.ts';
import { checkGotoNames, findPhaseMentions } from './gotoRule.ts';
import { checkMergesInText } from './mergeRule.ts';
import { reportMisplacedFrontMatter } from './reportMisplacedFrontMatter.ts';
import { readPhases } from './phaseRules.ts';
import type { WorkflowContext } from './workflowContext.ts';
import { checkStatusKey } from './statusRule.ts';
import { createShapeCheck } from './createShapeCheck.ts';
import { checkParamNames, checkTable } from './tableRules.ts';
import { checkCallsInText } from './textRules.ts';
import { checkInvariants } from './invariants/checkInvariants.ts';
import type { Proof } from './invariants/proveInvariants.ts';
import { CreateParamsFrontMatter, WorkflowFrontMatter } from './workflowShape.ts';
import { checkWritesTo } from './writesToRules.ts';
import type { Caps } from '../../base/spending/budgetScopes.ts';
import { findLoosenedCaps } from '../../base/spending/findLoosenedCaps.ts';
import { findOwnCapProblems } from '../../contract/schema/policy/budget.ts';
import { toKeyText, type Positions } from './positions.ts';

/**
 * Checks a workflow's caps for its jobs. One that would loosen a cap of the configuration has no
 * effect; it is only reported.
 */
function checkBudget(
  budget: Record<string, unknown> | undefined,
  configuredCaps: Caps | undefined,
  positions: Positions,
  findings: Findings,
): Pick<WorkflowTable, 'budget'> {
  if (budget === undefined) return {};
  const problems = findOwnCapProblems(budget);
  for (const { path, message } of problems) {
    const here = ['budget', ...path];
    findings.error(
      'budget-form',
      positions.value(here),
      `${toKeyText(here)} ${message}.`,
      'Write caps as numbers below session, phase, job or campaign.',
    );
  }
  if (problems.length > 0) return {};
  for (const { scope, metric, given, cap } of findLoosenedCaps(
    configuredCaps ?? {},
    budget as Caps,
  )) {
    const here = ['budget', scope, metric];
    findings.addWarning(
      'budget-loosens',
      positions.value(here),
      `${toKeyText(here)} is ${given}, but the configuration caps it at ${cap}: the smaller cap holds.`,
      'A workflow can only tighten a cap; remove it, or name a smaller one.',
    );
  }
  return { budget: budget as NonNullable<WorkflowTable['budget']> };
}

export type WorkflowMeta = Pick<WorkflowEntry, 'id' | 'label' | 'description' | 'createParams'>;

export interface ParsedWorkflow {
  file: string;
  /** null if a finding is an error: such a workflow must not run. */
  table: WorkflowTable | null;
  /** The table as far as readable, to be drawn, never run. null = there is no phase. */
  sketch: WorkflowTable | null;
  body: string;
  meta: WorkflowMeta;
  /** Places of id and label; the first line if the file gives none. */
  places: { id: Place; label: Place };
  /** Names of phases and paths of their agents as far as readable, even while `table` is null. */
  phases: string[];
  agents: string[];
  /** What is proved of each invariant; empty if the workflow has mistakes. */
  proofs: readonly Proof[];
  diagnostics: Diagnostic[];
}

const NEEDED = ['repo', 'description'];
const OFFERED = ['reviewers', 'jiraTicketId', 'gitProvider'];

/**
 * Params for starting a job if the workflow declares none: the default job workflow needs a
 * repository and a description, others nothing.
 */
export const chooseDefaultCreateParams = (file: string): WorkflowMeta['createParams'] =>
  /(^|\/)workflows\/job\.md$/.test(file)
    ? { required: [...NEEDED], optional: [...OFFERED] }
    : { required: [], optional: [...NEEDED, ...OFFERED] };

const checkShape = createShapeCheck(WorkflowFrontMatter, {
  name: 'Did you mean id or label?',
  phase: 'Did you mean phases?',
});
const KEYS = Object.keys(WorkflowFrontMatter.properties);
const checkCreateParams = createShapeCheck(CreateParamsFrontMatter);

const toWorkflowId = (file: string) => (file.split('/').at(-1) ?? file).replace(/\.md$/, '');
const toWorkflowLabel = (id: string) => capitalizeFirst(id).replaceAll('-', ' ');

const selectAgentPhases = (phases: readonly PhaseDefinition[]) =>
  phases.filter(({ agent }) => agent !== null);

/** Texts of these phases' agents; null for an unknown one. */
const readPhaseAgentTexts = (
  phases: readonly PhaseDefinition[],
  { agentText }: WorkflowContext,
): (string | null)[] =>
  [...new Set(phases.flatMap(({ agent }) => agent ?? []))].map((path) => agentText?.(path) ?? null);

/** Reads and lints a workflow. Never throws; reports every distinct mistake with its place. */
export function parseWorkflow(
  text: string | Uint8Array,
  file: string,
  context: WorkflowContext = {},
): ParsedWorkflow {
  const front = parseFrontMatter(text, file);
  const findings = createFindings(file);
  findings.list.push(...front.diagnostics);
  const { positions } = front;
  const id = toWorkflowId(file);
  const findPlace = (key: string): Place =>
    Object.hasOwn(front.data, key) ? positions.value([key]) : { line: 1, column: 1 };
  let phases: PhaseDefinition[] = [];
  let proofs: readonly Proof[] = [];
  const finish = (table: WorkflowTable | null, meta: Partial<WorkflowMeta>): ParsedWorkflow => ({
    file,
    phases: phases.map((phase) => phase.name),
    agents: [...new Set(phases.flatMap((phase) => phase.agent ?? []))],
    table: findings.hasErrors() ? null : table,
    sketch: phases.length > 0 ? table : null,
    body: front.body,
    places: { id: findPlace('id'), label: findPlace('label') },
    meta: {
      id: meta.id ?? id,
      label: meta.label ?? toWorkflowLabel(meta.id ?? id),
      description: meta.description ?? '',
      createParams: meta.createParams ?? chooseDefaultCreateParams(file),
    },
    proofs,
    diagnostics: sortFindings(findings.list),
  });

  if (findings.hasErrors()) return finish(null, {});
  if (Object.keys(front.data).length === 0) {
    if (front.readable || !reportMisplacedFrontMatter(front.body, KEYS, findings))
      findings.error(
        'empty-front-matter',
        { line: 1, column: 1 },
        'The file declares no workflow.',
        'Begin it with front matter: --- , initial_phase, phases, ---.',
      );
    return finish(null, {});
  }
  const read = checkShape(front.data, [], positions, findings);
  if (!read) return finish(null, {});

  const readOnes = readPhases(read.phases ?? [], context, positions, findings);
  phases = readOnes.phases.map(({ phase }) => phase);
  const names = phases.map((phase) => phase.name);
  // A faulty list of phases would make every name unknown: one mistake, one finding.
  const namesAreKnown = names.length > 0;
  if (read.initial_phase !== undefined && namesAreKnown)
    checkPhaseName(read.initial_phase, ['initial_phase'], names, positions, findings);
  if (read.initial_status !== undefined)
    checkStatusKey(read.initial_status, ['initial_status'], positions, findings);
  const ofCoordinator = createFindings(file);
  const coordinator = namesAreKnown
    ? readCoordinator(read.coordinator, { file, phases: names }, context, positions, ofCoordinator)
    : null;
  findings.list.push(...ofCoordinator.list);
  const coordinatorIsSound =
    !ofCoordinator.hasErrors() && Object(front.data).coordinator === read.coordinator;
  if (namesAreKnown) checkGotoNames(front.body, front.bodyLine, names, findings);
  checkCallsInText(front.body, front.bodyLine, context, findings);
  if (readOnes.whole)
    checkMergesInText(front.body, front.bodyLine, selectAgentPhases(phases), findings);
  const params =
    read.createParams === undefined
      ? null
      : checkCreateParams(read.createParams, ['createParams'], positions, findings);

  if (params) checkParamNames(params, positions, findings);

  const initial_phase = read.initial_phase ?? '';
  if (readOnes.whole) {
    const texts = [front.body, ...readPhaseAgentTexts(phases, context)];
    const mentionedPhases = texts.includes(null)
      ? null
      : new Set(texts.flatMap((each) => findPhaseMentions(each ?? '', 1).map(({ name }) => name)));
    const flow = {
      phases: readOnes.phases,
      initial: initial_phase,
      coordinator: coordinator?.enabled ? coordinator : null,
      named: mentionedPhases,
    };
    checkFlow(flow, positions, findings);
    if (context.executors) checkDoesNothing(flow, positions, findings);
    const { agentCommand, agentText } = context;
    const agentTexts = {
      body: front.body,
      readAgentText: (agent: string) =>
        agentCommand && agentCommand(agent) !== null ? null : (agentText?.(agent) ?? null),
    };
    // The effect of a faulty coordinator is unknown.
    if (coordinatorIsSound)
      checkAgentFlow(flow, coordinator !== null, agentTexts, positions, findings);
  }
  const { writesTo } = read;
  const grantedWrites = checkWritesTo(
    { writesTo, coordinator, trusted: context.trusted ?? true },
    positions,
    findings,
  );
  const initial_status =
    read.initial_status ?? phases.find((phase) => phase.name === initial_phase)?.status ?? '';
  const caps = checkBudget(read.budget, context.caps, positions, findings);
  const plain: WorkflowTable = { initial_phase, initial_status, phases, ...grantedWrites, ...caps };
  const checkedInvariants = checkInvariants(
    {
      written: read.invariants,
      given: context.invariants ?? [],
      table: plain,
      sound: readOnes.whole && coordinatorIsSound && !findings.hasErrors(),
    },
    positions,
    findings,
  );
  proofs = checkedInvariants.proofs;
  const { invariants } = checkedInvariants;
  const table = invariants.length === 0 ? plain : { ...plain, invariants };
  checkTable(table, positions, findings);
  const { id: ownId, label, description } = read;
  return finish(table, {
    ...(ownId !== undefined && { id: ownId }),
    ...(label !== undefined && { label }),
    ...(description !== undefined && { description }),
    ...(params && {
      createParams: { required: params.required ?? [], optional: params.optional ?? [] },
    }),
  });
}
