import { isJsonObject } from '../../src/base/json/isJsonObject.ts';
import { readFile } from 'node:fs/promises';
import { toErrorMessage, SvcError } from '../../src/base/errors/errors.ts';
import type { DryRunQuestion } from '../../src/contract/schema/policy/dryRun.ts';

export interface QuestionFlags {
  moment?: DryRunQuestion['moment'];
  tool?: string | undefined;
  args?: string | undefined;
  path?: readonly string[] | undefined;
  lines?: number | undefined;
  added?: string | undefined;
  job?: string | undefined;
  phase?: string | undefined;
}

/**
 * An object of JSON, or of the file after an `@`. Throws SvcError `bad-argument` that names the flag.
 */
export async function readJsonObjectFlag(
  flag: string,
  argument: string,
): Promise<Record<string, unknown>> {
  const isFile = argument.startsWith('@');
  const text = isFile
    ? await readFile(argument.slice(1), 'utf8').catch((error: unknown) => {
        throw new SvcError('bad-argument', `${flag}: ${toErrorMessage(error)}`);
      })
    : argument;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new SvcError(
      'bad-argument',
      `${flag} is not valid JSON: ${toErrorMessage(error)}. Give an object in single quotes, or @ and the name of a file.`,
    );
  }
  if (isJsonObject(value)) return value;
  throw new SvcError('bad-argument', `${flag} must be a JSON object.`);
}

/** The made-up question; null = no flag makes one up. */
export async function buildGuardrailQuestion(flags: QuestionFlags): Promise<DryRunQuestion | null> {
  const { moment, tool, args, path, lines, added, job, phase } = flags;
  const question: DryRunQuestion = {
    ...(moment === undefined ? {} : { moment }),
    ...(tool === undefined ? {} : { tool }),
    ...(args === undefined ? {} : { args: await readJsonObjectFlag('--args', args) }),
    ...(path === undefined ? {} : { paths: [...path] }),
    ...(lines === undefined ? {} : { lines }),
    ...(added === undefined ? {} : { added }),
    ...(phase === undefined ? {} : { phase }),
  };
  // A change of so many lines, or with such a text, touches something.
  if (question.paths === undefined && (lines !== undefined || added !== undefined))
    question.paths = ['a-file'];
  if (Object.keys(question).length === 0) return null;
  return { ...question, ...(job === undefined ? {} : { job }) };
}
