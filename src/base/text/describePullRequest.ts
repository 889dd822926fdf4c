/** A pull request in the words of errors: `pull request owner/name#3`. */
export const describePullRequest = (repo: string, number: number): string =>
  `pull request ${repo}#${number}`;
