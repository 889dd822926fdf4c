/** Every exit code of `svc`. Scripts rely on them: a code is never given another meaning. */
export const EXIT_CODES = [
  [0, 'Done.'],
  [1, 'It failed, or is not possible in the present state.'],
  [2, 'Usage: a flag, an argument, a file or the configuration is wrong.'],
  [3, 'There is no such job, pull request or file.'],
  [4, 'A token is needed, or the runner refuses this client.'],
  [5, 'The runner does not answer, or is stopping.'],
  [6, 'The job ended failed, escalated or cancelled.'],
  [7, 'The job waits for a person.'],
  [8, 'The time of --timeout is over. The job goes on.'],
  [9, 'The campaign is complete, but sub-runs of it failed or escalated.'],
  [127, 'There is no such command.'],
  [130, 'Ctrl-C. A job that was followed goes on.'],
] as const satisfies readonly (readonly [number, string])[];

export type ExitCode = (typeof EXIT_CODES)[number][0];
