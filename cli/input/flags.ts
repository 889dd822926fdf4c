import { Flags } from '@oclif/core';

/** Flags that several commands share: the same name means the same everywhere. */
export const noStreamFlag = Flags.boolean({ description: 'Do not follow the log afterwards.' });

export const TIMEOUT = {
  char: 't',
  description: 'Maximum time to wait, such as 90s, 30m or 2h.',
  helpValue: '<time>',
} as const;

export const quietFlag = Flags.boolean({
  char: 'q',
  description: 'Print IDs only.',
  exclusive: ['json'],
});

export const followFlags = {
  'no-stream': noStreamFlag,
  quiet: Flags.boolean({
    char: 'q',
    description: 'Print only the ID of the job, and do not follow its log.',
    exclusive: ['json'],
  }),
  wait: Flags.boolean({
    char: 'w',
    description: 'Wait until the job has ended or waits for a person.',
  }),
  timeout: Flags.string({ ...TIMEOUT, dependsOn: ['wait'] }),
};

export const yesFlag = Flags.boolean({
  char: 'y',
  description: 'Do it without asking. Required without a terminal.',
});

/** For commands that ask only at a terminal. */
export const yesAtTerminalFlag = Flags.boolean({
  char: 'y',
  description: 'Do it without asking. Without a terminal, it never asks.',
});

export const reasonFlag = Flags.string({
  description: 'The reason, stored in the journal.',
  helpValue: '<text>',
});

export const authorFlag = Flags.string({
  description: 'Name to record for this action. Default: developer.',
  helpValue: '<name>',
});

export const prReason = Flags.string({
  description: 'The reason, for the agent. It is also added as a comment on the pull request.',
  helpValue: '<text>',
});

export const prFlag = Flags.string({
  description: 'ID or number of the pull request. Default: the only open one of the job.',
  helpValue: '<id>',
});

export const headFlag = Flags.string({
  description:
    'The commit that you reviewed; refused if it is not the newest. Default: the newest.',
  helpValue: '<commit>',
});

/** The flag as a member of a body; left out, the runner takes its default. */
export const toAuthorField = (author: string | undefined): { author?: string } =>
  author === undefined ? {} : { author };
