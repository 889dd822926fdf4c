/** Path in the overlay of what `--workflow` names: the path itself, or a name such as `job`. */
export const resolveWorkflowPath = (given: string): string =>
  given.includes('/') || given.endsWith('.md') ? given : `workflows/${given}.md`;
