/** Path in the overlay of what `--workflow` names: the path itself, or a name such as `job`. */
export const workflowPathOf = (given: string): string =>
  given.includes('/') || given.endsWith('.md') ? given : `workflows/${given}.md`;
