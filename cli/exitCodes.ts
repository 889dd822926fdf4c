/** Every exit code of `svc`. Scripts rely on them: a code is never given another meaning. */
export const EXIT_CODES = [
  [0, 'Done.'],
  [1, 'It failed, or is not possible in the current state.'],
  [2, 'Usage error: a flag, an argument, a file or the configuration is not valid.'],
  [3, 'The job, pull request or file was not found; from svc tool: the phase is over.'],
  [4, 'Authentication is required, or the runner refuses this client.'],
  [5, 'The runner does not answer, or is stopping.'],
  [6, 'The job ended failed, escalated or cancelled.'],
  [7, 'The job waits for a person: for an answer, or for an event such as a review or a merge.'],
  [8, 'The time given with --timeout is over. The job continues; from svc run: with --resume.'],
  [9, 'The campaign is complete, but some of its sub-runs failed or escalated.'],
  [
    10,
    'The control plane of the team does not answer. What was asked for may still take effect; svc runner status says since when.',
  ],
  [
    11,
    'Another runner of the team continues the jobs of this home. svc start has ended for that; a service does not start it again.',
  ],
  [75, 'From svc tool: temporary. Another service does not answer; nothing was done, try later.'],
  [127, 'Unknown command.'],
  [130, 'Ctrl-C. A followed job continues; that of svc run with --resume.'],
  [
    143,
    'Ended by SIGTERM. A followed job continues. The first one lets svc start stop cleanly, with 0.',
  ],
] as const satisfies readonly (readonly [number, string])[];

export type ExitCode = (typeof EXIT_CODES)[number][0];
