import { readFile, stat } from 'node:fs/promises';
import { messageOf, SvcError } from '../../src/lib/errors.ts';
import { type ParsedCampaign, parseCampaign } from '../../src/authoring/workflows/parseCampaign.ts';
import { MAX_FILE_BYTES } from '../../src/authoring/workflows/frontMatterBlock.ts';
import type { Io } from '../io.ts';

/** Name that mistakes in standard input carry. */
const STDIN_NAME = '<stdin>';

async function textOf(path: string): Promise<string> {
  try {
    // Before it is read: a path given by mistake may be a disk image.
    const { size } = await stat(path);
    if (size > MAX_FILE_BYTES)
      throw new SvcError('too-large', `${path} has ${size} bytes; the limit is ${MAX_FILE_BYTES}.`);
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof SvcError) throw error;
    throw new SvcError('not-found', `${path} cannot be read: ${messageOf(error)}.`, {
      cause: error,
    });
  }
}

/**
 * Reads a campaign from a file, or from standard input for `-`. Throws SvcError `not-found`,
 * `too-large`, and `invalid` with `file:line:column` of every mistake.
 */
export async function campaignFile(
  path: string,
  io: Pick<Io, 'readInput'>,
): Promise<NonNullable<ParsedCampaign['job']>> {
  const [name, text] =
    path === '-' ? [STDIN_NAME, await io.readInput()] : [path, await textOf(path)];
  const { job, diagnostics } = parseCampaign(text, name);
  if (job) return job;
  const count = diagnostics.length === 1 ? '1 error' : `${diagnostics.length} errors`;
  throw new SvcError(
    'invalid',
    `${name} cannot be started as a campaign: ${count}. Nothing was started.`,
    {
      errors: diagnostics.map(({ file, line, column, message, hint }) => ({
        pointer: `${file}:${line}:${column}`,
        message: `${message} ${hint}`.trim(),
      })),
    },
  );
}
