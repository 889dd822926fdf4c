/** Steps that a person may add to a script, with what they mean. */
export const STEPS: readonly { says: string; yaml: string }[] = [
  { says: 'A person approves', yaml: '- approve' },
  { says: 'A person asks for changes', yaml: '- reject' },
  { says: 'A person writes a message', yaml: '- message: Please look again.' },
  { says: 'A pull request is merged', yaml: '- event: merged' },
  { says: 'Changes are requested', yaml: '- event: changes_requested' },
  { says: 'The agent goes to a phase', yaml: '- goto: coding' },
  { says: 'The agent escalates', yaml: '- escalate: I need a decision.' },
  { says: 'The agent fails', yaml: '- end: error' },
  { says: 'A sub-run fails', yaml: '- sub-run: { name: first, outcome: failed }' },
  { says: 'Time passes', yaml: '- wait: 2h' },
  { says: 'Expect a phase', yaml: '- expect: { phase: coding }' },
  { says: 'Stop here', yaml: '- stop' },
];

/** The script with one more step on a line of its own. */
export const appendScriptStep = (script: string, yaml: string): string =>
  script.trim() === '' ? `${yaml}\n` : `${script.trimEnd()}\n${yaml}\n`;

const padTimePart = (count: number): string => String(count).padStart(2, '0');

/** Time since the beginning: `0:00:05`, `26:10:00`. */
export const formatSimulatedTime = (ms: number): string => {
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 3600)}:${padTimePart(Math.floor(seconds / 60) % 60)}:${padTimePart(seconds % 60)}`;
};

const OUTCOMES: Readonly<Record<string, string>> = {
  complete: 'Complete',
  failed: 'Failed',
  escalated: 'Escalated',
  cancelled: 'Cancelled',
  rests: 'Waits for a decision',
  stopped: 'Stopped by the script',
  endless: 'Repeats without end',
};

export const describeStepOutcome = (outcome: string): string => OUTCOMES[outcome] ?? outcome;
