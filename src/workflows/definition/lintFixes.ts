import type { LintCode } from './findings.ts';

type Severity = 'error' | 'warning' | 'note' | 'error or warning';

/** For each code of the linter: how severe a finding is, and how to fix it. */
export const LINT_FIXES: Readonly<Record<LintCode, { severity: Severity; fix: string }>> = {
  'agent-without-executor': {
    severity: 'warning',
    fix: 'Configure an agent: `svc doctor` names the command. Or give this one a `command:`. `POST /jobs` refuses such a job.',
  },
  'agent-without-text': {
    severity: 'error',
    fix: 'Write what the agent should do below the front matter.',
  },
  'bad-phase-name': {
    severity: 'error',
    fix: 'Use alphanumeric characters, dots, hyphens and underscores; at most 64.',
  },
  'bad-status': {
    severity: 'error',
    fix: 'Write `awaiting-merge` instead of `Awaiting merge`.',
  },
  'budget-form': {
    severity: 'error',
    fix: 'Write caps as numbers below `session`, `phase`, `job` or `campaign`, such as `job: { usd: 5 }`.',
  },
  'budget-loosens': {
    severity: 'warning',
    fix: 'Name a smaller cap than that of the configuration (`budgets`), or none.',
  },
  'campaign-without-text': {
    severity: 'error',
    fix: 'Write it below the front matter.',
  },
  'checkpoint-in-park-phase': {
    severity: 'error',
    fix: 'Put it on the phase that plans the sub-runs, or on the one that summarizes them.',
  },
  'checkpoint-shows-nothing': {
    severity: 'warning',
    fix: 'Put it on the phase whose agent shows a plan.',
  },
  'checkpoint-without-person': {
    severity: 'warning',
    fix: 'Approve the phase in advance (`svc job --approve <phase>`), remove the checkpoint, or set `coachMode.enabled` to true.',
  },
  'circle-of-sub-runs': {
    severity: 'error',
    fix: 'Remove one of the names from `dependsOn`.',
  },
  'command-not-trusted': {
    severity: 'error',
    fix: 'Review it with `svc trust show`, or move the agent into the tenant layer.',
  },
  'control-character': {
    severity: 'error or warning',
    fix: 'Remove it. NUL is an error: no program could be given the text.',
  },
  'coordinator-without-park-phase': {
    severity: 'error',
    fix: 'Add `parkPhase` with the name of a phase that has `agent: null`.',
  },
  'duplicate-id': {
    severity: 'warning',
    fix: 'Give each an id of its own.',
  },
  'duplicate-label': {
    severity: 'warning',
    fix: 'Give each a label of its own.',
  },
  'duplicate-param': {
    severity: 'warning',
    fix: 'Keep one of them.',
  },
  'duplicate-phase': {
    severity: 'error',
    fix: 'Give each phase a unique name.',
  },
  'duplicate-sub-run': {
    severity: 'error',
    fix: 'Give each sub-run a unique name.',
  },
  'empty-front-matter': {
    severity: 'error',
    fix: 'Begin the file with front matter: `---`, `initial_phase`, `phases`, `---`.',
  },
  'file-too-large': {
    severity: 'error',
    fix: 'Move reference text into files of `memory/`; the limit is 256 KiB.',
  },
  'front-matter-language': {
    severity: 'error',
    fix: 'Write `---` alone on the first line.',
  },
  'front-matter-not-first': {
    severity: 'error',
    fix: 'Write `---` alone as the first line, with nothing before it.',
  },
  'front-matter-too-large': {
    severity: 'error',
    fix: 'Move text below it; the limits are 65,536 characters and 2,000 lines.',
  },
  'goto-unknown-phase': {
    severity: 'warning',
    fix: 'Correct the name in `goto_phase` or `resumePhase`.',
  },
  'idle-phase': {
    severity: 'warning',
    fix: 'Give it an agent or a checkpoint, or remove it.',
  },
  'invariant-blocks-end': {
    severity: 'error',
    fix: 'Let a phase do what the rule asks for, or change the rule. `svc workflow simulate <file> --invariant <id>` plays the path.',
  },
  'invariant-broken': {
    severity: 'error',
    fix: 'Add what the rule asks for, such as `interactive_checkpoint: true`, or change the rule. `svc workflow simulate <file> --invariant <id>` plays the path.',
  },
  'invariant-form': {
    severity: 'error',
    fix: 'Write a rule such as `{ id: merge-approved, never: merge, unless: approved since push }`; see the guide about invariants.',
  },
  'invariant-unreachable': {
    severity: 'warning',
    fix: 'Remove the rule, or check the tools of the phases and the names in the rule.',
  },
  'key-without-agent': {
    severity: 'warning',
    fix: 'Remove `model`, `provider`, `obligations` or `tools`, or name an agent.',
  },
  'left-out': {
    severity: 'error or warning',
    fix: 'The message says what is wrong with the item, such as a broken link, and how to fix it. A warning where the item lies in the layer; an error in a workflow that needs it.',
  },
  'merge-not-listed': {
    severity: 'warning',
    fix: 'Add the tool to `tools:` of the phase in which an agent should merge; elsewhere it is not offered.',
  },
  'misnamed-param': {
    severity: 'warning',
    fix: 'Use the name that svc reads, such as `repo` for `repository`. A parameter of your own that is only named alike works as it is.',
  },
  'missing-agent': {
    severity: 'error',
    fix: 'Write the file, or correct the path.',
  },
  'missing-key': {
    severity: 'error',
    fix: 'Add it; the message says which.',
  },
  'missing-program': {
    severity: 'warning',
    fix: 'Install the program, or correct `command`. A job finds out when the phase begins.',
  },
  'missing-workflow': {
    severity: 'error or warning',
    fix: 'Correct the path in `subRunWorkflowPath`, `switch_workflow` or `convert_to_workflow`.',
  },
  'model-without-effect': {
    severity: 'warning',
    fix: 'Remove `model` from the phase.',
  },
  'no-way-to-end': {
    severity: 'error or warning',
    fix: 'Put `resumePhase` after `parkPhase`, or lead past it with `goto_phase` in a text. A warning where texts send agents round: say when they do not call `goto_phase`.',
  },
  'not-an-agent': {
    severity: 'error',
    fix: 'Write a path such as `agents/coder.md`.',
  },
  'not-utf8': {
    severity: 'error',
    fix: 'Save the file as UTF-8, for example with `iconv -t UTF-8`.',
  },
  'nothing-to-do': {
    severity: 'warning',
    fix: 'Give one of its phases an agent or a checkpoint. `POST /jobs` refuses such a job.',
  },
  'of-other-program': {
    severity: 'error or warning',
    fix: 'Nothing, if another program uses the file too: svc leaves it out, and takes `Bash` for `shell`. An error where it limits the agent (`disallowedTools`, `permissionMode: plan`): write what the agent may use under `tools`.',
  },
  'park-phase-with-agent': {
    severity: 'warning',
    fix: 'Write `agent: null`, and register the sub-runs in a phase before it.',
  },
  'reserved-status': {
    severity: 'error or warning',
    fix: 'Write what the job does in this phase. An error for `queued`, `complete`, `failed`, `escalated`, `cancelled` and `awaiting-children`; a warning for `awaiting-plan-approval`, `awaiting-developer-input`, `paused` and `archived` on a phase with an agent.',
  },
  'resume-in-park-phase': {
    severity: 'error',
    fix: 'Name the phase that continues when every sub-run has ended.',
  },
  'skipped-file': {
    severity: 'note',
    fix: 'A workflow is a file `workflows/<name>.md`, an agent a file with the ending `.md` below `agents/`. The message says why this one is not read.',
  },
  'sub-run-coordinates': {
    severity: 'warning',
    fix: 'Name a workflow without sub-runs in `subRunWorkflowPath`, or add `epicAllowed: true` to `subRunParamsDefault`.',
  },
  'sub-runs-not-enabled': {
    severity: 'warning',
    fix: 'Write `coordinator.enabled: true`, or take the call out of the text.',
  },
  'too-many-phases': {
    severity: 'error',
    fix: 'Use at most 64; split the workflow and continue with `switch_workflow`.',
  },
  'tool-not-installed': {
    severity: 'warning',
    fix: 'Install the plugin with `svc plugin install`, correct the name, or write `scm_<verb>` or `tracker_<verb>` for the provider of the job.',
  },
  'unknown-alias': {
    severity: 'error or warning',
    fix: 'Correct the name, or add it to `llm.aliases`; a warning where no alias is configured at all.',
  },
  'unknown-event-kind': {
    severity: 'warning',
    fix: 'Correct the kind: the hint names the nearest, or all of them.',
  },
  'unknown-key': {
    severity: 'error',
    fix: 'Correct the name: the hint says which key comes nearest.',
  },
  'unknown-phase': {
    severity: 'error',
    fix: 'Correct the name.',
  },
  'unknown-placeholder': {
    severity: 'error',
    fix: 'Use one of the placeholders `{layer}`, `{job}`, `{checkout}`.',
  },
  'unknown-provider': {
    severity: 'error',
    fix: 'Install it with `svc plugin install`, or correct `provider`, the alias or `llm.defaultProvider`; of `acp:` the hint names the nearest preset.',
  },
  'unknown-server': {
    severity: 'warning',
    fix: 'Declare the server in `mcpServers` of the configuration or in `.mcp.json` of the repository, or correct the id.',
  },
  'unknown-sub-run': {
    severity: 'error',
    fix: 'Correct the name in `dependsOn`.',
  },
  'unknown-tool': {
    severity: 'error',
    fix: "`svc tool --list` names them; other servers' are `mcp__<server>__<tool>`.",
  },
  'unreachable-phase': {
    severity: 'warning',
    fix: 'Make it `initial_phase`, move it down, or name it with `goto_phase` in a text.',
  },
  'wait-not-awaited': {
    severity: 'warning',
    fix: 'Have the agent before it call `await_event`, or remove the phase.',
  },
  'workflow-too-large': {
    severity: 'error',
    fix: 'At most 12,288 bytes as JSON: fewer phases, shorter obligations.',
  },
  'writes-to-form': {
    severity: 'error',
    fix: 'Write `<forge>:<repository>`, `<forge>:<repository>#<number>` or `<tracker>:<ticket>`.',
  },
  'writes-to-not-trusted': {
    severity: 'warning',
    fix: 'Review it with `svc trust show`, or move the workflow into the tenant layer; until then it grants nothing.',
  },
  'wrong-type': {
    severity: 'error',
    fix: 'The message says what it must be.',
  },
  'yaml-syntax': {
    severity: 'error',
    fix: 'Check indentation, quotes and brackets; the place is the first that could not be read.',
  },
};
