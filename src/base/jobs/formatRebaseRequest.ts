/** A message that asks the agent to bring a pull request up to date, for a person to edit. */
export const formatRebaseRequest = (
  { prId, head, base }: { prId: string; head: string; base: string },
  files: readonly string[],
): string =>
  [
    `${prId} conflicts with ${base}. Please bring the branch ${head} up to date: fetch, rebase it onto ${base} (or merge ${base} into it, where a branch may not be rewritten), resolve the conflicts, run the tests, and push it.`,
    ...(files.length === 0 ? [] : ['', 'Files in conflict:', ...files.map((file) => `- ${file}`)]),
  ].join('\n');
