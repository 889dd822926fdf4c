import { Flags } from '@oclif/core';

/** Flags that several commands share: the same name means the same everywhere. */
export const jobFlag = Flags.string({
  description: 'ID of the job.',
  required: true,
  helpValue: '<id>',
});

export const noStreamFlag = Flags.boolean({ description: 'Do not follow the log afterwards.' });

/** How a job is followed that the command has made. */
export const followFlags = {
  'no-stream': noStreamFlag,
  wait: Flags.boolean({ description: 'Wait until the job has ended or waits for a person.' }),
  timeout: Flags.string({
    description: 'Maximum time to wait, such as 90s, 30m or 2h.',
    dependsOn: ['wait'],
    helpValue: '<time>',
  }),
};

export const childFlag = Flags.string({
  description: 'Name of the sub-run.',
  required: true,
  helpValue: '<name>',
});

export const yesFlag = Flags.boolean({ description: 'Skip the confirmation.' });

export const repoFlag = Flags.string({
  description: 'Slug of the repository, as forges.local.repos names it.',
  required: true,
  helpValue: '<slug>',
});

export const numberFlag = Flags.integer({
  description: 'Number of the pull request.',
  required: true,
  min: 1,
  helpValue: '<n>',
});

export const reasonFlag = Flags.string({
  description: 'The reason, stored in the journal.',
  helpValue: '<text>',
});

export const authorFlag = Flags.string({
  description: 'Who makes the change. Default: developer.',
  helpValue: '<name>',
});

/** The flag as a member of a body; left out, the runner takes its default. */
export const by = (author: string | undefined): { author?: string } =>
  author === undefined ? {} : { author };
