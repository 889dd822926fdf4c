import type { Diagnostic } from '../../contract/schema/workflow/diagnostic.ts';

/**
 * All codes of findings about workflows, agents and campaigns, with their meaning. Codes are
 * stable: tools filter by them.
 */
export const LINT_CODES = {
  'agent-without-executor': 'the agent cannot run with this svc configuration',
  'agent-without-text': 'the agent has neither instructions nor a command',
  'bad-phase-name': 'a phase name contains characters that are not allowed in a URL',
  'bad-status': 'a status has characters other than a-z, 0-9 and hyphens',
  'budget-form': 'a cap of the workflow is invalid',
  'budget-loosens': 'a cap of the workflow is larger than that of the configuration',
  'campaign-without-text': 'the campaign does not say what it is for',
  'checkpoint-in-park-phase': 'no agent shows anything to approve at a checkpoint',
  'checkpoint-shows-nothing': 'a checkpoint comes before any agent could have shown something',
  'checkpoint-without-person':
    'a checkpoint waits for a person, but svc is configured to run unattended',
  'circle-of-sub-runs': 'sub-runs wait for each other',
  'command-not-trusted': 'the repository declares a program to run',
  'control-character': 'the text contains a control character',
  'coordinator-without-park-phase': 'a coordinator has no phase to wait in',
  'duplicate-id': 'two workflows have the same id',
  'duplicate-label': 'two workflows have the same label',
  'duplicate-param': 'a parameter is named twice',
  'duplicate-phase': 'two phases have the same name',
  'duplicate-sub-run': 'two sub-runs have the same name',
  'empty-front-matter': 'the file is empty',
  'file-too-large': 'the file is over the size limit',
  'front-matter-language': 'the front matter is not YAML; nothing in it was run',
  'front-matter-not-first': 'the front matter does not begin in the first line',
  'front-matter-too-large': 'the front matter is over the size limits',
  'goto-unknown-phase': 'the text sends the agent to a phase that does not exist',
  'idle-phase': 'a phase without an agent waits for nothing',
  'invariant-blocks-end': 'no job could complete under an invariant',
  'invariant-broken': 'the workflow can violate an invariant',
  'invariant-form': 'an invariant is invalid',
  'invariant-unreachable': 'no phase can do what an invariant forbids',
  'key-without-agent': 'a key of a phase without an agent has no effect',
  'left-out': 'a required file is invalid and is not used',
  'merge-not-listed': 'the text names a tool that merges, and no phase lists it',
  'misnamed-param': 'a parameter name is close to one that svc reads',
  'missing-agent': 'the agent file was not found',
  'missing-key': 'a required key is missing',
  'missing-program': 'the program of an agent is not installed',
  'missing-workflow': 'the workflow file was not found',
  'model-without-effect': 'the agent of a phase is a program, so its model is not used',
  'no-way-to-end': 'the phases form a loop without an exit',
  'not-an-agent': 'the path of an agent is not a Markdown file under agents/',
  'not-utf8': 'the file is not UTF-8',
  'nothing-to-do': 'a job would end at once',
  'of-other-program': 'a key or tool of an agent is one that only other programs know',
  'park-phase-with-agent': 'the phase in which a parent waits runs an agent',
  'reserved-status': 'a status is reserved by the runner',
  'resume-in-park-phase': 'a parent would return to the phase in which it waits',
  'skipped-file': 'a file beside workflows or agents is not read',
  'sub-run-coordinates': 'sub-runs follow a workflow that has sub-runs itself',
  'sub-runs-not-enabled': 'a text registers sub-runs, and the workflow may have none',
  'too-many-phases': 'the workflow has more phases than the limit',
  'tool-not-installed': 'no forge or tracker here has the tool',
  'unknown-alias': 'the model alias is not configured',
  'unknown-event-kind': 'the text awaits an event that never comes',
  'unknown-key': 'this key is unknown',
  'unknown-phase': 'a key names a phase that does not exist',
  'unknown-placeholder': 'a command uses an unknown placeholder',
  'unknown-provider':
    'the executor of a phase is not installed, or does not know the agent after the colon',
  'unknown-server': 'no tool server has this id',
  'unknown-sub-run': 'a sub-run waits for one that does not exist',
  'unknown-tool': 'no tool has this name',
  'unreachable-phase': 'nothing leads to the phase',
  'wait-not-awaited': 'a phase waits for an event that no agent awaits',
  'workflow-too-large': 'the phases exceed the size limit of a job',
  'writes-to-form': 'an entry of writesTo does not name a repository, pull request or ticket',
  'writes-to-not-trusted': 'the repository names what its agents may write to',
  'wrong-type': 'a value has the wrong type',
  'yaml-syntax': 'the front matter is not valid YAML',
} as const;

export type LintCode = keyof typeof LINT_CODES;

export interface Place {
  line: number;
  column: number;
}

/** Most findings of one file. */
export const MAX_FINDINGS = 100;

export interface Findings {
  readonly file: string;
  readonly list: Diagnostic[];
  error(code: LintCode, place: Place, message: string, hint: string): void;
  addWarning(code: LintCode, place: Place, message: string, hint: string): void;
  note(code: LintCode, place: Place, message: string, hint: string): void;
  hasErrors(): boolean;
}

export function createFindings(file: string): Findings {
  const list: Diagnostic[] = [];
  let errors = false;
  const add =
    (severity: Diagnostic['severity']) =>
    (code: LintCode, place: Place, message: string, hint: string) => {
      if (severity === 'error') errors = true;
      if (list.length < MAX_FINDINGS)
        list.push({ file, line: place.line, column: place.column, code, severity, message, hint });
    };
  return {
    file,
    list,
    error: add('error'),
    addWarning: add('warning'),
    note: add('note'),
    hasErrors: () => errors || list.some((one) => one.severity === 'error'),
  };
}

/** Sorted by place in the file, then by order of detection. */
export const sortFindings = (list: readonly Diagnostic[]): Diagnostic[] =>
  [...list].sort((a, b) => a.line - b.line || a.column - b.column);
