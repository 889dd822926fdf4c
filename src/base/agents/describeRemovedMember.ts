interface RemovedRunMember {
  name: string;
  reason: keyof typeof WHY;
  value: string | null;
}

const WHY = {
  'only-a-person': 'only a person sets it',
  'not-a-field': 'a run has no such field',
  'unknown-workflow': 'no such workflow can be run here',
  'broken-workflow': 'that workflow has errors',
  'unknown-repository': 'it is not a repository of this runner, and you did not name it',
  'unusable-value': 'its value is empty, too long or of another type',
} as const;

const LABELS: Readonly<Record<string, string>> = {
  workflowPath: 'the workflow',
  repoSlug: 'the repository',
};

export function describeRemovedMember({ name, reason, value }: RemovedRunMember): string {
  const label = Object.hasOwn(LABELS, name) ? LABELS[name] : undefined;
  const what =
    label === undefined || value === null ? `also wrote ${name}` : `chose ${label} ${value}`;
  return `The model ${what}: ${WHY[reason]}, so it was left out.`;
}
